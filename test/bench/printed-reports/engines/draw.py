"""Draws pages from lists of texts, lines and boxes. Reads jobs as JSON; positions count from the top left, in points."""

import json
import sys

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas


def draw(canvas, height, item):
    kind = item["kind"]
    canvas.setFillColor(HexColor(item.get("colour", "#000000")))
    if kind == "text":
        canvas.setFont(item.get("font", "Helvetica"), item.get("size", 9))
        place = {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}
        place[item.get("align", "left")](item["x"], height - item["y"], item["text"])
    elif kind == "line":
        canvas.setLineWidth(item.get("width", 0.5))
        canvas.line(item["x"], height - item["y"], item["x2"], height - item["y2"])
    elif kind == "box":
        canvas.setLineWidth(item.get("width", 0.5))
        fill = "fill" in item
        if fill:
            canvas.setFillColor(HexColor(item["fill"]))
        canvas.rect(item["x"], height - item["y"] - item["h"], item["w"], item["h"], stroke=0 if fill else 1, fill=1 if fill else 0)


for job in json.load(sys.stdin):
    size = tuple(job["pages"]["size"])
    canvas = Canvas(job["pdf"], pagesize=size, invariant=1)
    for page in job["pages"]["pages"]:
        for item in page:
            draw(canvas, size[1], item)
        canvas.showPage()
    canvas.save()
