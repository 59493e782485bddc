"""A page on a table, taken with a phone: curl, perspective, shadow, uneven light, blur, moire."""

import cv2
import numpy

LONG_SIDE = 3000


def photograph(page, random):
    page = curl(page, random)
    homography, size = place(page, random)
    image = table(size, random)
    warped = cv2.warpPerspective(page, homography, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(numpy.full(page.shape[:2], 255, numpy.uint8), homography, size)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(numpy.float32)[:, :, None] / 255
    image *= 1 - 0.5 * fallen_shadow(mask, size)[:, :, None]
    paper = (numpy.array([random.uniform(225, 250)] * 3) + random.normal(0, 4, 3)).astype(numpy.float32)
    ink = random.uniform(15, 60)
    warped = warped.astype(numpy.float32)
    warped *= (paper - numpy.float32(ink)) / 255
    warped += numpy.float32(ink)
    # Paper over table, by the mask with a soft edge.
    warped -= image
    warped *= soft
    image += warped
    image *= light(size, random)
    if random.random() < 0.25:
        image *= moire(size, random)
    image = blur(image, random)
    image += noise(image.shape[:2], random.uniform(2, 6), random)[:, :, None]
    return numpy.clip(image, 0, 255, out=image).astype(numpy.uint8)


def noise(shape, strength, random):
    """A tile of grains, repeated: drawing each grain of the picture would take most of the time."""
    tile = random.standard_normal((499, 503), numpy.float32) * numpy.float32(strength)
    return numpy.tile(tile, (shape[0] // 499 + 1, shape[1] // 503 + 1))[: shape[0], : shape[1]]


def smooth(size, function):
    """A picture without detail: worked out for every eighth point, from -1 to 1 across and down."""
    wide, tall = size
    x, y = numpy.meshgrid(numpy.linspace(-1, 1, wide // 8, dtype=numpy.float32), numpy.linspace(-1, 1, tall // 8, dtype=numpy.float32))
    return cv2.resize(numpy.float32(function(x, y)), size, interpolation=cv2.INTER_LINEAR)


def fallen_shadow(mask, size):
    small = cv2.resize(mask, (size[0] // 8, size[1] // 8), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(numpy.roll(small, (2, 1), (0, 1)), (0, 0), 2.2)
    return cv2.resize(small, size, interpolation=cv2.INTER_LINEAR).astype(numpy.float32) / 255


def curl(page, random):
    """Paper that does not lie flat: lines of text bend, and rows near the bend come closer together."""
    height, width = page.shape[:2]
    bend = random.uniform(0, 0.011) * height * random.choice([-1, 1])
    length, phase, fades_down = random.uniform(0.7, 1.3), random.uniform(0, 0.5), random.random() < 0.5
    wave, shift = random.uniform(0, 0.004) * width, random.uniform(0, 6)

    def up(x, y):
        arch = bend * (numpy.sin(numpy.pi * ((x + 1) / 2 * length + phase)) - 0.5)
        # The bend fades down or up the page.
        return arch * (0.5 + 0.25 * (y + 1 if fades_down else 1 - y))

    map_x = smooth((width, height), lambda _, y: wave * numpy.sin(numpy.pi * (y + 1) + shift)) + numpy.arange(width, dtype=numpy.float32)
    map_y = smooth((width, height), up) + numpy.arange(height, dtype=numpy.float32)[:, None]
    return cv2.remap(page, map_x, map_y, cv2.INTER_CUBIC, borderValue=(250, 250, 250))


def place(page, random):
    """Where the four corners of the page fall; the page covers 60 to 95 per cent of the frame."""
    height, width = page.shape[:2]
    tall, wide = (LONG_SIDE, LONG_SIDE * 3 // 4) if height > width else (LONG_SIDE * 3 // 4, LONG_SIDE)
    share = random.uniform(0.62, 0.93)
    scale = min(numpy.sqrt(share * wide * tall / (width * height)), 0.97 * wide / width, 0.97 * tall / height)
    w, h = width * scale, height * scale
    corners = numpy.float32([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]])
    tilt_x, tilt_y, turn = numpy.radians([random.normal(0, 7), random.normal(0, 5), random.normal(0, 2)])
    tilt_x, tilt_y = numpy.clip([tilt_x, tilt_y], -0.28, 0.2)
    distance = 1.5 * LONG_SIDE
    placed = []
    for x, y in corners:
        x, y = x * numpy.cos(turn) - y * numpy.sin(turn), x * numpy.sin(turn) + y * numpy.cos(turn)
        depth = distance + y * numpy.sin(tilt_x) + x * numpy.sin(tilt_y)
        placed.append([x * numpy.cos(tilt_y) * distance / depth, y * numpy.cos(tilt_x) * distance / depth])
    placed = numpy.array(placed)
    # All of the page is in the picture.
    reach = numpy.abs(placed - (placed.max(0) + placed.min(0)) / 2).max(0) / (numpy.array([wide, tall]) / 2 * 0.985)
    placed = (placed - (placed.max(0) + placed.min(0)) / 2) / max(1, reach.max())
    placed += numpy.array([wide, tall]) / 2
    source = numpy.float32([[0, 0], [width, 0], [width, height], [0, height]])
    return cv2.getPerspectiveTransform(source, placed.astype(numpy.float32)), (wide, tall)


def table(size, random):
    """Wood, cloth or stone: a colour with soft grain."""
    wide, tall = size
    bright = random.uniform(45, 150)
    colour = bright * numpy.array([random.uniform(0.5, 1), random.uniform(0.75, 1), 1])
    grain = cv2.resize(random.normal(0, 1, (tall // 6, wide // 90 + 1)).astype(numpy.float32), size, interpolation=cv2.INTER_CUBIC)
    fine = noise((tall, wide), 1, random)
    return colour.astype(numpy.float32) + (7 * grain + 3 * fine)[:, :, None]


def light(size, random):
    """Brighter to one side, and the soft shadow of a hand or phone across a part."""
    direction = random.uniform(0, 2 * numpy.pi)
    fall = random.uniform(0, 0.16)
    depth = random.uniform(0.15, 0.42) if random.random() < 0.6 else 0
    start, softness = random.uniform(-0.3, 0.8), random.uniform(0.03, 0.25)

    def brightness(x, y):
        edge = x * numpy.cos(direction + 1) + y * numpy.sin(direction + 1) - start
        shadow = 1 - depth / (1 + numpy.exp(-edge / softness))
        return (0.93 - fall * (x * numpy.cos(direction) + y * numpy.sin(direction))) * shadow

    tint = (1 + random.normal(0, 0.018, 3)).astype(numpy.float32)
    return smooth(size, brightness)[:, :, None] * tint


def moire(size, random):
    """The faint waves of a page photographed from a screen."""
    wide, tall = size
    angle, period = random.uniform(0.2, 1.3), random.uniform(9, 40)
    across = 2 * numpy.pi * numpy.cos(angle) / period * numpy.arange(wide, dtype=numpy.float32)
    down = 2 * numpy.pi * numpy.sin(angle) / period * numpy.arange(tall, dtype=numpy.float32)
    # The sine of a sum, from sines of its parts.
    waves = numpy.outer(numpy.sin(down), numpy.cos(across)) + numpy.outer(numpy.cos(down), numpy.sin(across))
    return 1 + numpy.float32(random.uniform(0.01, 0.035)) * waves[:, :, None]


def blur(image, random):
    image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.5, 1.15))
    if random.random() < 0.3:
        length = int(random.integers(2, 5))
        kernel = numpy.zeros((length, length), numpy.float32)
        cv2.line(kernel, (0, int(random.integers(0, length))), (length - 1, int(random.integers(0, length))), 1, 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    return image
