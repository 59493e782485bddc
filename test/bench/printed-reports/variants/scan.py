"""A flatbed or a document feeder: slightly turned, grey, noisy; some as a fax machine sends them."""

import cv2
import numpy
from photo import noise
from PIL import Image


def scan(page, kind, dpi, random):
    height, width = page.shape[:2]
    angle = random.normal(0, 0.6)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(numpy.clip(angle, -2, 2)), random.uniform(0.975, 0.998))
    turn[:, 2] += random.normal(0, width * 0.004, 2)
    image = cv2.warpAffine(page, turn, (width, height), flags=cv2.INTER_CUBIC, borderValue=(252, 252, 252)).astype(numpy.float32)
    # Ink spreads, and the glass is out of focus a little.
    image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.4, 0.9) * dpi / 200)
    paper = random.uniform(232, 252)
    ink = random.uniform(8, 70)
    image = ink + image * (paper - ink) / 255
    image += shade(height, width, random).astype(numpy.float32)[:, :, None]
    image += noise((height, width), random.uniform(2, 7), random)[:, :, None]
    image = numpy.clip(image, 0, 255).astype(numpy.uint8)
    if kind == "colour":
        return Image.fromarray(image[:, :, ::-1])
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if kind == "grey":
        return Image.fromarray(grey)
    return Image.fromarray(fax(grey, random)).convert("1", dither=Image.Dither.NONE)


def shade(height, width, random):
    """Light that falls off to one side, and the fold in the middle of some pages."""
    across = numpy.linspace(-1, 1, width)[None, :] * random.normal(0, 6)
    down = numpy.linspace(-1, 1, height)[:, None] * random.normal(0, 6)
    fold = 0
    if random.random() < 0.3:
        at = height * random.uniform(0.45, 0.55)
        fold = -18 * numpy.exp(-(((numpy.arange(height) - at) / 5) ** 2))[:, None]
    return numpy.minimum(0, across + down) + fold


def fax(grey, random):
    threshold = random.uniform(120, 175)
    black = numpy.where(grey > threshold, 255, 0).astype(numpy.uint8)
    speckles = random.random(black.shape, numpy.float32)
    black[speckles < 0.0002] = 0
    black[speckles > 0.9999] = 255
    for _ in range(int(random.integers(0, 3))):
        black[:, int(random.integers(0, black.shape[1]))] = 0
    return black
