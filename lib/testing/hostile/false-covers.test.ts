import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { credentialRanges } from '../../core/redaction/secrets'
import { CORPUS, transcriptFiles } from '../corpus'

const FIXTURES = fileURLToPath(new URL('../fixtures/stores', import.meta.url))

/** Of so many words, one may be covered that opens nothing. */
const WORDS_PER_COVER = 10_000

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}

it('X20: real conversations, in which there is no credential, are hardly covered anywhere', () => {
  const lines = transcriptFiles(CORPUS ?? FIXTURES).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const texts = lines.flatMap((line) => (line === '' ? [] : [line, ...textsOf(JSON.parse(line))]))
  let words = 0
  const covers: string[] = []
  // What runtimes say again and again is examined once.
  for (const text of new Set(texts)) {
    words += text.split(/\s+/).length
    for (const { start, end } of credentialRanges(text)) covers.push(text.slice(start - 30, end))
  }
  // Without the corpus there is one small transcript.
  expect(words).toBeGreaterThan(CORPUS === null ? 1_000 : WORDS_PER_COVER)
  expect(covers.slice(Math.floor(words / WORDS_PER_COVER))).toEqual([])
})
