/**
 * A line of the audit log is JSON with three members at its end: its number, the SHA-256 of what is before it back to
 * the line before (of everything, for the first), and the HMAC of all of the line that is before that member.
 */
export type Seal = {
  /** From 1. */
  readonly seq: number
  /** Hex. */
  readonly prev: string
  /** Hex. */
  readonly mac: string
  /** The text that the HMAC is of. */
  readonly body: string
}

const END = /,"seq":([1-9]\d{0,15}),"prev":"([0-9a-f]{64})"(,"mac":"([0-9a-f]{64})"\})$/

/**
 * A line with its seal, without a line end.
 * @param fields a JSON object with a member at least
 * @param sign the HMAC of a text, in hex
 */
export function sealLine(
  fields: object,
  { seq, prev }: Pick<Seal, 'seq' | 'prev'>,
  sign: (text: string) => string,
): string {
  const open = JSON.stringify(fields).slice(0, -1)
  const body = `${open},"seq":${seq},"prev":"${prev}"`
  return `${body},"mac":"${sign(body)}"}`
}

/** The seal at the end of a line; null when there is none. Whether it is right is another question. */
export function readSeal(line: string): Seal | null {
  const match = END.exec(line)
  if (match === null || !line.startsWith('{')) return null
  const [, seq = '', prev = '', tail = '', mac = ''] = match
  return { seq: Number(seq), prev, mac, body: line.slice(0, -tail.length) }
}

/** What a crash leaves of a line is no JSON; anything else without a seal was put there by another hand. */
export function isTorn(line: string): boolean {
  try {
    JSON.parse(line)
    return false
  } catch {
    return true
  }
}
