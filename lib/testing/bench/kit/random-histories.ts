/** A call of a tool with its result. */
export type HistoryCall = { readonly id: string; readonly name: string; readonly result: string }

/** What was asked, what the agent did, and its answer; null: it is still at work. */
type HistoryTurn = {
  readonly asked: string
  /** Calls that were made at once; their results come in the order of `results`. */
  readonly steps: readonly {
    readonly calls: readonly HistoryCall[]
    readonly results: readonly HistoryCall[]
  }[]
  readonly answer: string | null
}

export type History = readonly HistoryTurn[]

/** Numbers from 0 up to 1, the same ones for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const SYLLABLES = 'ba ber cra di el fo ga har in ju ka lo mo ne or pi qua ri sto ta un ve wa xe yo zu'.split(
  ' ',
)

/** Words that no text has, of two to four syllables; any run of them is a text. */
const WORDS: readonly string[] = (() => {
  const random = randomNumbers(1)
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? ''
  return Array.from({ length: 8_000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join(''),
  )
})()

const NAMES = ['read', 'bash', 'grep', 'edit']

/**
 * A conversation as agents have them: some turns, each with some steps, each with one call or several at once, results
 * from a line to some thousand tokens, in any order. Every other one ends in the middle of the work.
 */
export function randomHistory(seed: number): History {
  const random = randomNumbers(seed)
  const upTo = (n: number) => Math.floor(random() * (n + 1))
  const turns = 2 + upTo(10)
  return Array.from({ length: turns }, (_, t) => {
    const isOpen = t === turns - 1 && random() < 0.5
    const steps = Array.from({ length: isOpen ? 1 + upTo(4) : upTo(5) }, (_, s) => {
      const calls = Array.from({ length: 1 + upTo(2) }, (_, c) => ({
        id: `call_${seed}_${t}_${s}_${c}`,
        name: NAMES[upTo(3)] ?? 'read',
        result: textOf(random, random() < 0.2 ? 10 + upTo(20) : 100 + upTo(1_500)),
      }))
      const results = [...calls]
      if (random() < 0.5) results.reverse()
      return { calls, results }
    })
    return {
      asked: textOf(random, 5 + upTo(60)),
      steps,
      answer: isOpen ? null : textOf(random, 5 + upTo(80)),
    }
  })
}

/** A conversation of about so many messages, four for each turn, with results of so many words. */
export function longHistory(messages: number, words: number): History {
  const random = randomNumbers(messages)
  return Array.from({ length: Math.round(messages / 4) }, (_, t) => {
    const calls = [{ id: `call_${t}`, name: 'read', result: `berth ${t} ${textOf(random, words)}` }]
    return {
      asked: `Where does ship ${t} lie?`,
      steps: [{ calls, results: calls }],
      answer: `At berth ${t % 9}.`,
    }
  })
}

/** So many words from anywhere in the list. */
function textOf(random: () => number, words: number): string {
  const from = Math.floor(random() * (WORDS.length - words - 1))
  return WORDS.slice(from, from + words).join(' ')
}
