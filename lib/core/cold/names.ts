/** Longer names are cut and distinguished by a hash. Characters; file systems take 255 bytes, with the ending. */
const MAX_NAME = 160

/** Names that mean something else in the folders of cold storage. */
const TAKEN = /^(?:index|messages)$/i

/** Devices, which Windows finds in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:$|\.)/i

/**
 * A session or chunk id as the name of a file or folder. Plain ids stay as they are; whatever could lead to another
 * place or be read as something else is written as `%` and the hex digits of its bytes. Different ids of usual length
 * have different names.
 */
export function safeName(id: string): string {
  const plain = [...id].map((character) => (PLAIN.test(character) ? character : escaped(character))).join('')
  const first = plain.charAt(0)
  const marked = first === '.' || TAKEN.test(plain) || DEVICE.test(plain)
  const name = plain === '' ? '%' : marked ? escaped(first) + plain.slice(1) : plain
  // A dot at the end is dropped by some file systems.
  const safe = name.endsWith('.') ? `${name.slice(0, -1)}%2e` : name
  return safe.length <= MAX_NAME ? safe : `${safe.slice(0, MAX_NAME - 17)}~${hash(id)}`
}

const PLAIN = /^[A-Za-z0-9._-]$/

const encoder = new TextEncoder()

function escaped(character: string): string {
  return [...encoder.encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

/** Two FNV-1a hashes, the second from the end. 16 hex digits. */
function hash(text: string): string {
  const bytes = encoder.encode(text)
  return fnv(bytes) + fnv(bytes.toReversed())
}

function fnv(bytes: Uint8Array): string {
  let value = 0x811c9dc5
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value.toString(16).padStart(8, '0')
}
