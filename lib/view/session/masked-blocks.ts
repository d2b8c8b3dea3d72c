import { credentialRanges, maskedSlice, maskSecrets } from '../../core/redaction/secrets'
import { type ClippedBlock, clipBlocks, type EntryBlock, entryBlockText } from './entry-blocks'

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
    const whole = entryBlockText(blocks[index] ?? block)
    const found = credentialRanges(whole.slice(0, COUNTED_CHARS)).length
    secrets += found
    if (reveal || block.kind === 'image') return block
    if (found === 0 && block.text.length === whole.length) return withoutNames(block)
    return withoutNames({ ...block, text: maskedSlice(whole, 0, block.text.length) })
  })
  return { blocks: clipped, secrets }
}

/** A block whose names, which others gave, hold no credential. */
function withoutNames(block: ClippedBlock): ClippedBlock {
  if (block.kind === 'data') return { ...block, name: maskSecrets(block.name) }
  if (block.kind !== 'call') return block
  return { ...block, name: maskSecrets(block.name), id: block.id === null ? null : maskSecrets(block.id) }
}
