"""Turns printed pages into what scanners and phones make of them. Reads jobs as JSON, writes the names of the files as JSON."""

import json
import os
import sys
import zlib

import cv2
import numpy
import pypdfium2
from photo import photograph
from PIL import Image
from scan import scan

# The same picture on every machine, and no waiting for other processors on a busy one.
cv2.setNumThreads(1)


def pages_of(pdf, dpi):
    document = pypdfium2.PdfDocument(pdf)
    return [page.render(scale=dpi / 72).to_numpy()[:, :, :3] for page in document]


def save_scan(job, random):
    kind = random.choice(["grey", "grey", "colour", "fax"])
    dpi = int(random.choice([200, 200, 240, 300]))
    if kind == "fax":
        dpi = 200
    images = [scan(page, kind, dpi, random) for page in pages_of(job["pdf"], dpi)]
    file = job["base"] + ".pdf"
    first, *rest = images
    # Black and white goes into the file as fax machines pack it, which has no quality.
    packing = {} if kind == "fax" else {"quality": int(random.integers(60, 88))}
    first.save(file, resolution=dpi, save_all=True, append_images=rest, **packing)
    return [file]


def save_photo(job, random):
    pages = pages_of(job["pdf"], 220)
    files = []
    for number, page in enumerate(pages, 1):
        file = job["base"] + (".jpg" if len(pages) == 1 else f"-{number}.jpg")
        image = photograph(page, random)
        Image.fromarray(image[:, :, ::-1]).save(file, quality=int(random.integers(68, 92)))
        files.append(file)
    return files


def main():
    done = []
    for job in json.load(sys.stdin):
        random = numpy.random.default_rng(zlib.crc32(job["seed"].encode()))
        files = save_scan(job, random) if job["kind"] == "scan" else save_photo(job, random)
        done.append({"base": job["base"], "files": [os.path.basename(file) for file in files]})
    json.dump(done, sys.stdout)


main()
