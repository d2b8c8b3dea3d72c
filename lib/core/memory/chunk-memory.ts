/** A piece of a remembered text, small enough to be recalled alone. */
export type MemoryPiece = {
  readonly text: string
  /** Its first line in the file; from 1. */
  readonly line: number
}

/** Characters of a piece, about 300 tokens: a few sentences around what is searched for. */
const [AIM, MOST] = [1_200, 2_000]

/**
 * Divides a text where it divides itself: at headings and empty lines, small neighbours together. A heading stays with
 * what follows, and is repeated before the later pieces of its section, which would not say what they are about. Longer
 * stretches without an empty line are divided at lines, and lines that are too long at any place.
 */
export function memoryPieces(text: string): MemoryPiece[] {
  const pieces: MemoryPiece[] = []
  let heading = ''
  let open: { lines: string[]; line: number; size: number } | null = null
  const close = () => {
    if (open?.lines.some((line) => line.trim() !== '' && line !== heading))
      pieces.push({ text: open.lines.join('\n').trim(), line: open.line })
    open = null
  }
  let number = 0
  for (const raw of text.split('\n')) {
    number += 1
    if (raw === TEXT_BREAK) {
      heading = ''
      continue
    }
    const line = raw.trimEnd()
    const isHeading = HEADING.test(line)
    if (isHeading && (open === null || open.size > 0)) close()
    if (isHeading) heading = line.slice(0, MAX_HEADING)
    for (const part of partsOf(line)) {
      if (open !== null && open.size + part.length > (part === '' ? AIM : MOST)) close()
      if (open === null && part === '') continue
      open ??= { lines: isHeading || heading === '' ? [] : [heading], line: number, size: 0 }
      open.lines.push(part)
      open.size += isHeading ? 0 : part.length + 1
    }
  }
  close()
  return pieces
}

/** A line between texts that have nothing to do with each other: no heading reaches beyond it. */
export const TEXT_BREAK = '\f'

const HEADING = /^#{1,6} \S/
const MAX_HEADING = 200

function partsOf(line: string): string[] {
  if (line.length <= MOST) return [line]
  const parts: string[] = []
  for (let at = 0; at < line.length; at += AIM) parts.push(line.slice(at, at + AIM))
  return parts
}
