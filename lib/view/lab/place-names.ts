/** A name beside its point. Pixels from the upper left corner; `y` is the middle of the line. */
export type PlacedName = {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  /** A line leads to the point, since the name is not right beside it. */
  readonly isLed: boolean
}

type NamedPoint = { readonly x: number; readonly y: number; readonly width: number }
type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** Height of a line, half the size of a mark, and the room between names. Pixels. */
const [LINE, MARK, GAP] = [14, 6, 2]
/** Distances from the point at which a name is tried, and how many directions at each. */
const DISTANCES = [10, 18, 28, 40, 54, 70]
const DIRECTIONS = 12
/** From here on a line leads to the point. */
const LED_FROM = 16

/**
 * Finds room for names beside their points, so that no name covers another name or another point. Earlier points choose
 * first; one without room gets none (null): its number is in the table.
 */
export function placeNames(
  points: readonly NamedPoint[],
  room: { readonly width: number; readonly height: number },
): (PlacedName | null)[] {
  const taken: Box[] = points.map(({ x, y }) => around(x, y, MARK))
  return points.map((point, i) => {
    for (const distance of DISTANCES) {
      for (let step = 0; step < DIRECTIONS; step += 1) {
        const placed = placeAt(point, distance, directionOf(step))
        const box = boxOf(placed, point.width)
        const fits = box.left >= 0 && box.right <= room.width && box.top >= 0 && box.bottom <= room.height
        if (!fits || taken.some((other, at) => at !== i && meets(box, other))) continue
        taken.push(box)
        return placed
      }
    }
    return null
  })
}

/** To the right first, then to the left, then in between. */
function directionOf(step: number): number {
  const turn = Math.ceil(step / 2) * (step % 2 === 0 ? 1 : -1)
  return (turn / DIRECTIONS) * 2 * Math.PI
}

function placeAt({ x, y }: NamedPoint, distance: number, angle: number): PlacedName {
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
  const anchor = dx > 0.3 ? 'start' : dx < -0.3 ? 'end' : 'middle'
  const away = anchor === 'middle' ? distance + LINE / 4 : distance
  return { x: x + dx * away, y: y + dy * away, anchor, isLed: distance >= LED_FROM }
}

function boxOf({ x, y, anchor }: PlacedName, width: number): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left: left - GAP, right: left + width + GAP, top: y - LINE / 2, bottom: y + LINE / 2 }
}

function around(x: number, y: number, half: number): Box {
  return { left: x - half, right: x + half, top: y - half, bottom: y + half }
}

function meets(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
