/** Bytes as text, UTF-8; bytes that are none become U+FFFD, and a byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.toString('utf8')
}
