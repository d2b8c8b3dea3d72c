import {
  type Automaton,
  estimatorTables,
  OFFSET_MASK,
  WEIGHT_SCALE,
  WEIGHT_SHIFT,
} from './estimate-automaton'

/** A way to size a text. Counters are pluggable: whatever has this shape can replace ours. */
export type TextEstimator = (text: string) => number

/** The rule of thumb of the agent runtimes: a quarter of the length in UTF-16 units, rounded up. */
export const charsOverFour: TextEstimator = (text) => Math.ceil(text.length / 4)

/**
 * Units of one image when nothing is known about its model: the 1,200 tokens (4,800 characters at four each)
 * that OpenClaw up to 2026.7.1 and pi charge. Calibration replaces it by what the provider's jump shows.
 */
export const IMAGE_UNITS = 1200

/** Characters that are summed up in integers at a time, so that the sum cannot overflow. */
const STRETCH = 1 << 18

/**
 * How a cell is taken apart. Names of this module: where modules are not bundled, as in tests, each use of an imported
 * one calls a getter, here for every character.
 */
const SHIFT = WEIGHT_SHIFT
const MASK = OFFSET_MASK

/** Four walks at once begin to pay for texts that are longer. */
const SHORT = 96

/** States depend on no more than about so many characters before. */
const MEMORY = 24

/**
 * Units of a text: about its tokens in o200k_base. 0 for the empty text, else at least 1.
 *
 * Two table look-ups per character in the automaton of `estimate-automaton.ts`: time is linear in the length whatever
 * the text (500 MB/s and more on one 2.6 GHz core), with no memory of earlier texts.
 *
 * The weights were counted on exactly tokenised samples (`estimate-weights.ts`). Error of a piece of text against the
 * exact count, median (90th percentile) [chars/4], each source of transcripts and a fifth of the other samples left out
 * of the count that it is judged by: tool results 3 % (8 %) [15 %], tool-call arguments 3.5 % (9 %) [16 %], prose of
 * agents and users 3 % (7 %) [15 %], source code 3 % (7 %) [10 %], JSON 2.5 % (5 %) [24 %], listings and logs 5 % (17
 * %) [35 %], hex, ids and numbers 0–1 % [53 %], base64 14 % [63 %], Chinese, Japanese, Korean, Russian, Arabic, Hindi
 * 5–20 % [18–60 %], European languages with accents 15–20 % [6–25 %], random letters and other oddities up to 45 %.
 * @example
 * ```ts
 * import { estimateUnits } from 'plimsoll-agent'
 *
 * estimateUnits('Which berth is free?') // tokens
 * ```
 */
export const estimateUnits: TextEstimator = (text) => {
  const length = text.length
  if (length === 0) return 0
  const automaton = estimatorTables()
  const { classes, table } = automaton
  let total = 0
  let state = 0
  if (length <= SHORT) {
    for (let i = 0; i < length; i++) {
      const cell = table[state + (classes[text.charCodeAt(i)] as number)] as number
      total += cell >>> SHIFT
      state = cell & MASK
    }
    return Math.max(1, Math.round(total / WEIGHT_SCALE))
  }
  for (let start = 0; start < length; start += STRETCH) {
    const end = Math.min(start + STRETCH, length)
    // Four quarters are walked at once: each step waits for the one before it, so four walks take little longer than one.
    const quarter = (end - start) >> 2
    const second = start + quarter
    const third = second + quarter
    const fourth = third + quarter
    let b = stateBefore(text, start, second, automaton)
    let c = stateBefore(text, start, third, automaton)
    let d = stateBefore(text, start, fourth, automaton)
    let sum = 0
    for (let i = 0; i < quarter; i++) {
      const cellA = table[state + (classes[text.charCodeAt(start + i)] as number)] as number
      const cellB = table[b + (classes[text.charCodeAt(second + i)] as number)] as number
      const cellC = table[c + (classes[text.charCodeAt(third + i)] as number)] as number
      const cellD = table[d + (classes[text.charCodeAt(fourth + i)] as number)] as number
      sum += (cellA >>> SHIFT) + (cellB >>> SHIFT) + (cellC >>> SHIFT) + (cellD >>> SHIFT)
      state = cellA & MASK
      b = cellB & MASK
      c = cellC & MASK
      d = cellD & MASK
    }
    state = d
    for (let i = fourth + quarter; i < end; i++) {
      const cell = table[state + (classes[text.charCodeAt(i)] as number)] as number
      sum += cell >>> SHIFT
      state = cell & MASK
    }
    total += sum
  }
  return Math.max(1, Math.round(total / WEIGHT_SCALE))
}

/** The state at `place`, as far as the characters right before it tell, from `start` at the earliest. */
function stateBefore(text: string, start: number, place: number, { classes, table }: Automaton): number {
  let state = 0
  for (let i = Math.max(start, place - MEMORY); i < place; i++) {
    state = (table[state + (classes[text.charCodeAt(i)] as number)] as number) & MASK
  }
  return state
}
