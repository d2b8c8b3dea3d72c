import type { RecallText } from '../../engine/knowledge/recall-ports'

/** Bytes of a note as text, whatever editor wrote it; says what it was when that was not UTF-8. */
export function decodeNote(bytes: Uint8Array): RecallText {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return decoded(bytes.subarray(2), 'utf-16le', 'read as UTF-16')
  if (first === 0xfe && second === 0xff) return decoded(bytes.subarray(2), 'utf-16be', 'read as UTF-16')
  const body = first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
  if (body.subarray(0, SNIFFED).includes(0))
    return { ok: false, problem: 'holds zero bytes, so it is no text; save it as UTF-8 to have it recalled' }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(body), note: null }
  } catch {
    return decoded(body, 'windows-1252', 'is no UTF-8; read as Windows-1252, so some letters may be wrong')
  }
}

const SNIFFED = 8_192

function decoded(bytes: Uint8Array, encoding: string, note: string): RecallText {
  return { ok: true, text: new TextDecoder(encoding).decode(bytes), note }
}
