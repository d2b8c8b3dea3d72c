import { forDistinctWords } from '../../relevance/normal-words'
import { isEmptyWord, isLightWord } from '../../relevance/question-words'
import { sentencesOf } from '../../summary/sentences'
import { fingerprintOf, type RuleMark } from './text-marks'

/** Of a longer message so much is looked at: what is behind it was pasted. UTF-16 units. */
export const RULE_CHARS = 8_000
/** Rules of one message, words of one rule, and the fewest that tell a rule from others. */
const [MOST_RULES, MOST_WORDS, LEAST_WORDS] = [12, 16, 3]
/** What is shown of a rule. UTF-16 units. */
const MOST_BEGIN = 90

/** Found several times as fast as the words themselves; most texts have neither. */
const MAY_HINT = /(?:ever|lways|ust)\b/i
const HINT = /\b(?:never|always|must)\b/i
const ANY_HINT = /\b(?:never|always|must)\b/gi
/** Lines of one message that are looked at. */
const MOST_LINES = 60
/** At the beginning, or behind who has to heed it; `it always fails` and `there must be a way` are none. */
const COMMANDS =
  /^(?:[^:]{1,40}:\s+){0,2}(?:(?:please|and|but|also|so|note|from now on),?\s+)*(?:never|always|you must|we must)\s|\b(?:please|and|but|you should|we should|you can|you may)\s+(?:never|always)\s|\bmust\s+(?:not|never|always|only|be|have|use|stay|keep|go|run|come|remain|contain|follow|match|pass)\b/i
const SAYS_ONLY =
  /\b(?:there|this|that|it|i|he|she|which|something)\s+must\s+(?:be|have)\b|\balways\s+been\b|\bnever\s+(?:mind|seen|heard|been|worked|happened)\b/i
/** Texts in the user's name that runtimes write, and chunks that came back from cold storage (`<recovered-context`). */
const NOT_THE_USERS =
  /^(?:<|# AGENTS\.md|# CLAUDE\.md|caveat:|\[request interrupted|system:|read heartbeat\.md|pre-compaction|this session is being continued|another language model|\[cron:)/i

/** The rules that a message of the user sets. Time is linear in its length. */
export function ruleMarks(text: string): readonly RuleMark[] {
  const begun = text.slice(0, RULE_CHARS)
  if (!MAY_HINT.test(begun) || !HINT.test(begun)) return []
  const start = begun.trimStart()
  if (NOT_THE_USERS.test(start)) return []
  const rules: RuleMark[] = []
  for (const { text: sentence, question } of sentencesOf(hintedLines(start))) {
    if (question || !HINT.test(sentence)) continue
    if (!COMMANDS.test(sentence) || SAYS_ONLY.test(sentence)) continue
    const words = tellingWords(sentence)
    if (words.length < LEAST_WORDS) continue
    rules.push({ words, begin: beginOf(sentence) })
    if (rules.length === MOST_RULES) break
  }
  return rules
}

/** Lines with a word of a rule that are prose. */
function hintedLines(text: string): string {
  const isFenced = text.includes(FENCE) ? fencesOf(text) : null
  const lines: string[] = []
  let from = 0
  while (lines.length < MOST_LINES || isFenced !== null) {
    ANY_HINT.lastIndex = from
    const hint = ANY_HINT.exec(text)
    if (hint === null) break
    const end = text.indexOf('\n', hint.index)
    const start = text.lastIndexOf('\n', hint.index) + 1
    if (isFenced === null || !isFenced(start)) lines.push(text.slice(start, end < 0 ? undefined : end))
    if (end < 0) break
    from = end + 1
  }
  return lines.join('\n')
}

const FENCE = '```'

/** Answers whether the line that begins there is in a block of code, or bounds one. Lines are asked for in order. */
function fencesOf(text: string): (lineStart: number) => boolean {
  let fence = text.indexOf(FENCE)
  let isOpen = false
  return (lineStart) => {
    for (; fence >= 0; fence = nextLine(text, fence)) {
      const start = text.lastIndexOf('\n', fence) + 1
      if (start > lineStart) break
      if (text.slice(start, fence).trim() !== '') continue
      if (start === lineStart) return true
      isOpen = !isOpen
    }
    return isOpen
  }
}

/** The next fence in a line behind this one; -1: there is none. */
function nextLine(text: string, fence: number): number {
  const end = text.indexOf('\n', fence)
  return end < 0 ? -1 : text.indexOf(FENCE, end)
}

function beginOf(sentence: string): string {
  return sentence.length > MOST_BEGIN ? `${sentence.slice(0, MOST_BEGIN - 1)}…` : sentence.replace(/\.$/, '')
}

function tellingWords(sentence: string): number[] {
  const words = new Set<number>()
  forDistinctWords(sentence, ({ whole }) => {
    if (words.size < MOST_WORDS && !isEmptyWord(whole) && !isLightWord(whole)) words.add(fingerprintOf(whole))
  })
  return [...words]
}
