import { forDistinctWords } from '../../relevance/normal-words'
import { sentencesOf } from '../../summary/sentences'
import { fingerprintOf, type SummaryMark } from './text-marks'

/** Longer summaries are looked at up to here. UTF-16 units. */
export const SUMMARY_CHARS = 64_000
const [MOST_WORDS, MOST_SENTENCES] = [6_000, 300]

/** What a summary says, as fingerprints. */
export function summaryMark(text: string): SummaryMark {
  const begun = text.slice(0, SUMMARY_CHARS)
  const words = new Set<number>()
  forDistinctWords(begun, ({ whole, parts }) => {
    if (words.size >= MOST_WORDS) return
    words.add(fingerprintOf(whole))
    for (const part of parts) words.add(fingerprintOf(part))
  })
  for (const name of new Set(begun.match(NAME))) if (words.size < MOST_WORDS) noteName(name, words)
  const sentences = new Set<number>()
  for (const { text: sentence } of sentencesOf(begun))
    if (sentences.size < MOST_SENTENCES) sentences.add(fingerprintOf(sentence.toLowerCase()))
  return { words: [...words], sentences: [...sentences] }
}

/** What may be the name of a file. */
const NAME = /[\w@.+/-]+/g
const MOST_NAME = 200

/** Names of files and what was searched for, without folders, as `fetchMark` has them. */
function noteName(written: string, words: Set<number>): void {
  const name = written.slice(written.lastIndexOf('/') + 1)
  if (name === '' || name.length > MOST_NAME) return
  words.add(fingerprintOf(name))
  if (name.endsWith('.')) words.add(fingerprintOf(name.slice(0, -1)))
}
