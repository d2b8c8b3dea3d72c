/**
 * Whether two messages say the same, field by field: objects, lists, texts, numbers, bytes, dates and addresses. A field
 * that is undefined counts as one that is not there, as in JSON.
 */
export function saysTheSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  if (Array.isArray(b)) return false
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && sameBytes(a, b)
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime()
  if (a instanceof URL) return b instanceof URL && a.href === b.href
  return sameFields(a as Fields, b as Fields)
}

type Fields = { readonly [name: string]: unknown }

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!saysTheSame(a[i], b[i])) return false
  return true
}

function sameFields(a: Fields, b: Fields): boolean {
  for (const name in a) if (!saysTheSame(a[name], b[name])) return false
  for (const name in b) if (b[name] !== undefined && a[name] === undefined) return false
  return true
}

function sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false
  const other = bytesOf(b)
  return bytesOf(a).every((byte, i) => byte === other[i])
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
