import { createHash } from 'node:crypto'
import type { Hasher } from '../../engine/write/write-ports'

/** A new SHA-256. */
export function sha256(): Hasher {
  const hash = createHash('sha256')
  return {
    update: (bytes) => {
      hash.update(bytes)
    },
    digest: () => hash.digest('hex'),
  }
}

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
export function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
