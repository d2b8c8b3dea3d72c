import { credentialRanges, maskedSlice } from '../core/redaction/secrets'
import { blockText, type ClippedBlock, clipBlocks, type EntryBlock } from './entry-blocks'

/** Beyond so many characters of one text, credentials are covered as they are shown but not counted before. */
const COUNTED_CHARS = 64_000

/** Parts of an entry cut for the browser, and how many credentials are covered in them. */
export type MaskedBlocks = { readonly blocks: ClippedBlock[]; readonly secrets: number }

/**
 * The blocks with their texts cut to `limit` characters each and credentials covered; with `reveal`, only cut. How many
 * credentials there are is said either way.
 */
export function maskBlocks(blocks: readonly EntryBlock[], limit: number, reveal: boolean): MaskedBlocks {
  let secrets = 0
  const clipped = clipBlocks(blocks, limit).map((block, index): ClippedBlock => {
    const whole = blockText(blocks[index] ?? block)
    const found = credentialRanges(whole.slice(0, COUNTED_CHARS)).length
    secrets += found
    if (reveal || block.kind === 'image' || (found === 0 && block.text.length === whole.length)) return block
    return { ...block, text: maskedSlice(whole, 0, block.text.length) }
  })
  return { blocks: clipped, secrets }
}
