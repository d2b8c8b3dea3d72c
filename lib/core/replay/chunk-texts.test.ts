import { expect, test } from 'vitest'
import { ChunkTexts } from './chunk-texts'
import { GatheredChunks } from './needs/gathered-chunks'
import { NeedList } from './needs/need-list'

/** The file that a call is about by its text; null: none. */
function fileOf(text: string): string | null {
  const texts = new ChunkTexts('/home/who/app', new GatheredChunks(), new NeedList())
  return texts.holders.texts[texts.fileIn(text)] ?? null
}

test('a call is about the one file that its text names', () => {
  expect(fileOf("sed -n '1,80p' lib/walk.ts\n/home/who/app")).toBe('lib/walk.ts')
  expect(fileOf('rg -n "const said" lib/walk.ts')).toBe('lib/walk.ts')
  expect(fileOf('cat lib/walk.ts; wc -l lib/walk.ts')).toBe('lib/walk.ts')
})

test('a call that names several files, or searches several folders, is about none of them', () => {
  expect(fileOf('git diff -- lib/walk.ts lib/run.ts')).toBeNull()
  expect(fileOf('rg -n "const said" lib/core/replay lib/engine/walk.ts')).toBeNull()
})
