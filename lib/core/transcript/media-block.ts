import { isObject, type JsonObject, stringOf } from './json'

/** Fields in which an image or a file is one level down. */
const HOLDERS = ['source', 'file', 'input_audio'] as const

/** Fields that have an address, or the bytes as a `data:` address. */
const ADDRESSES = ['image_url', 'image', 'data', 'url', 'file_data'] as const

/**
 * Where an image or a file keeps its bytes, and of which type they are; '' for the bytes of one that only has an
 * address.
 */
export function mediaOf(block: JsonObject): { readonly mimeType: string; readonly base64: string } {
  const source = holderOf(block)
  const urls = [block, source].flatMap((holder) => ADDRESSES.map((field) => addressOf(holder[field])))
  const inline = /^data:([^;,]+);base64,(.*)/s.exec(urls.find((url) => url !== undefined) ?? '')
  if (inline !== null) return { mimeType: inline[1] ?? '', base64: inline[2] ?? '' }
  const mimeType = stringOf(source.mimeType) ?? stringOf(source.media_type) ?? stringOf(source.mediaType)
  const data = stringOf(source.data) ?? stringOf(source.image) ?? stringOf(source.file_data) ?? ''
  return { mimeType: mimeType ?? 'image/unknown', base64: /^https?:/.test(data) ? '' : data }
}

/** The AI SDK says of `data` what it is: `{ type: 'data', data }`. */
function holderOf(block: JsonObject): JsonObject {
  for (const field of HOLDERS) if (isObject(block[field])) return block[field]
  return isObject(block.data) && typeof block.data.type === 'string' ? block.data : block
}

function addressOf(value: unknown): string | undefined {
  return stringOf(value) ?? (isObject(value) ? stringOf(value.url) : undefined)
}

/** What is in a file that a model gets as text: a text, or blocks; null where it gets bytes, or where that is not said. */
export function fileTextOf(block: JsonObject): unknown {
  const source = holderOf(block)
  if (source.type === 'text') return stringOf(source.data) ?? stringOf(source.text) ?? null
  return source.type === 'content' ? (source.content ?? null) : null
}

/** Bytes that are held as such, in base64 characters; null where there are none. */
export function binaryChars(block: JsonObject): number | null {
  for (const value of [block.data, block.image, holderOf(block).data]) {
    const isBinary = value instanceof ArrayBuffer || ArrayBuffer.isView(value)
    if (isBinary) return Math.ceil(value.byteLength / 3) * 4
  }
  return null
}
