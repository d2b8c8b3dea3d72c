import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATEGORIES, type CategoryTokens } from '../../core/tokens/category'
import { ContextRun, runLeaf } from '../../core/tokens/context-run'
import { frameEntries } from '../../core/tokens/frame-entries'
import { Branches } from '../../core/transcript/branches'
import { callEntries, contextOfCall, routeOfCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import type { Sender } from '../../core/transcript/send-rules'
import { randomTranscripts } from '../../testing/builders/random-transcript'
import { factsOf } from '../../testing/builders/transcript'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { plainChoice, plainGroups, plainItems } from '../../testing/plain-context'
import { runs } from '../../testing/runs'
import { startsTurn } from './branch-marks'
import { groupItems, heaviestItems } from './context-groups'
import { CONTEXT_SORTS, type ContextItem, tokensOf } from './context-rows'
import { ContextTable, chooseItems } from './context-table'

/** What a frame might give to each category; no two alike, some nothing. */
function someCategories(seed: number): CategoryTokens {
  return Object.fromEntries(
    CATEGORIES.map((category, i) => [
      category,
      (seed * (i + 3)) % 5 === 0 ? 0 : 100 + ((seed * 7919 * (i + 1)) % 9973),
    ]),
  )
}

type Counts = { calls: number; shared: number }

/**
 * Holds the table of every call, made from as few runs as possible, against the plain way: backwards, since a later
 * run knows entries from before its boundary of which it holds only a part.
 * @param step 1: of every call; 4: of every fourth
 */
function compare(facts: readonly EntryFact[], sender: Sender, counts: Counts, name = '', step = 1): void {
  const branches = Branches.of(facts)
  const path = branches.path(branches.leaf)
  const runs: ContextRun[] = []
  for (const [i, seq] of callEntries(branches.facts).reverse().entries()) {
    if (i % step > 0) continue
    const leaf = branches.parentOf(seq)
    const route = routeOfCall(branches, seq)
    const known = runs.find((run) => run.prefix(leaf, route) !== null)
    const run =
      known ?? new ContextRun(branches, runLeaf(branches, path, leaf), { sender, startsTurn, route })
    if (known) counts.shared++
    else runs.unshift(run)
    counts.calls++
    const categories = someCategories(seq)
    const context = contextOfCall(branches, seq, sender)
    const items = plainItems({
      context,
      categories,
      path: branches.path(leaf),
      turnStarts: (at) => branches.facts[at] !== undefined && startsTurn(branches.facts[at]),
    })
    const prefix = run.prefix(leaf, route)
    if (prefix === null) throw new Error(`${name}: no run for call at ${seq}`)
    const table = new ContextTable(run, prefix, categories)
    const all = Array.from({ length: table.length }, (_, order) => table.itemAt(order))
    expect(all, `${name} call at ${seq}`).toEqual(items)
    compareQuestions(table, items)
    expect(frameEntries(context, { categories }, sender).map(({ tokens }) => tokens)).toEqual(
      items.filter((item) => item.seq !== null).map(({ tokens }) => tokens),
    )
  }
}

function compareQuestions(table: ContextTable, items: readonly ContextItem[]): void {
  // Held together once: each call of `expect` takes longer than most of what it is asked about here.
  const answers: object[] = []
  const plainAnswers: object[] = []
  for (const category of [null, 'assistant', 'tool-result', 'residual', 'system-prompt'] as const) {
    for (const sort of CONTEXT_SORTS) {
      for (const descending of [false, true]) {
        const choice = { sort, descending, category }
        const plain = plainChoice(items, choice)
        const { orders, tokens, largest, unsent } = chooseItems(table, choice)
        answers.push({ choice, orders: [...orders], tokens, largest, unsent })
        plainAnswers.push({
          choice,
          orders: plain.map(({ order }) => order),
          tokens: plain.reduce((sum, item) => sum + tokensOf(item, category), 0),
          largest: plain.reduce((most, item) => Math.max(most, tokensOf(item, category)), 0),
          unsent: plain.filter(({ sent }) => !sent).length,
        })
      }
    }
  }
  expect(answers).toEqual(plainAnswers)
  expect(groupItems(table, 3)).toEqual(plainGroups(items, 3))
  const entries = items.filter(({ seq, tokens }) => seq !== null && tokens > 0)
  const heaviest = entries.sort((a, b) => b.tokens - a.tokens || a.order - b.order).slice(0, 4)
  expect(heaviestItems(table, 4)).toEqual(heaviest.map(({ order }) => order))
}

describe('X5 contexts from columns', () => {
  it('are those of the plain way, for every call of any transcript, whichever runs they come from', () => {
    const counts = { calls: 0, shared: 0 }
    fc.assert(
      fc.property(randomTranscripts, fc.constantFrom<Sender>('pi', 'openclaw'), (t, sender) => {
        compare(t.facts(), sender, counts)
      }),
      runs(60),
    )
    expect(counts.calls).toBeGreaterThan(200)
    expect(counts.shared).toBeGreaterThan(counts.calls / 4)
  })
})

/** Every call is compared with a walk of its whole context, so that long transcripts take the square of their length. */
const MOST_ENTRIES = 1500
/** Of longer ones every fourth call is compared. */
const SHORT = 200

describe.skipIf(CORPUS === null)(
  'X5 contexts of real transcripts (skipped: no corpus beside the checkout)',
  () => {
    it('are those of the plain way at every call, of long ones at every fourth', () => {
      const folder = CORPUS ?? ''
      const counts = { calls: 0, shared: 0 }
      for (const file of transcriptFiles(folder)) {
        const facts = factsOf(readFileSync(file, 'utf8'))
        if (facts.length > MOST_ENTRIES) continue
        compare(facts, 'openclaw', counts, relative(folder, file), facts.length > SHORT ? 4 : 1)
      }
      expect(counts.calls).toBeGreaterThan(100)
      expect(counts.shared).toBeGreaterThan(counts.calls / 2)
    })
  },
)
