import { atLeast, callSteps, firstCalls, GOOD_SUMMARY, type LabelRule, turn, warm, withCalls } from './rule'
import type { CallStep, Chance, FilledStep } from './talk'

const COMPACTION: FilledStep = { is: 'compaction', summary: GOOD_SUMMARY }

/** After each `every` calls a compaction; `after` says what the next prompt is. */
function compacted(
  base: readonly FilledStep[],
  every: number,
  after: (before: CallStep, i: number) => number,
  summary = GOOD_SUMMARY,
): FilledStep[] {
  let size = 0
  return withCalls(base, (call, i) => {
    if (i > 0 && i % every === 0) {
      const before = { ...call, total: size }
      size = after(before, i)
      return [
        { is: 'compaction', summary },
        { ...call, total: size, read: 0, write: size },
      ]
    }
    const grown = i === 0 ? 30_000 : size + 300
    const read = i === 0 ? 0 : size
    size = grown
    return [{ ...call, total: grown, read, write: grown - read }]
  })
}

const freesNothing: LabelRule = {
  kind: 'compaction-frees-nothing',
  planted: (base, chance) => ({
    steps: compacted(
      firstCalls(atLeast(short(base), 16), 16),
      4,
      ({ total }) => total * chance.between(0.93, 1),
    ),
  }),
  // Freed, and filled again at once by what came in; or freed well.
  alike: (base, chance) => {
    const steps = compacted(
      firstCalls(atLeast(short(base), 16), 16),
      4,
      ({ total }) => total * chance.between(0.2, 0.7),
    )
    if (chance.share() < 0.5) return { steps }
    const size = chance.whole(20_000, 40_000)
    const rounds = [0, 1, 2].flatMap((): FilledStep[] => [
      ...turn(size),
      COMPACTION,
      ...turn(size, {}, Math.round(size * chance.between(0.5, 0.8))),
    ])
    return { steps: rounds }
  },
}

function unmeasured(steps: readonly FilledStep[]): FilledStep[] {
  return steps.map((step) => (step.is === 'call' ? { ...step, usage: false } : step))
}

/** Without results that are larger than the prompts that the rules make. */
function short(base: readonly FilledStep[]): FilledStep[] {
  return warm(base).map((step) =>
    step.is === 'user' || step.is === 'result' ? { ...step, units: 20 } : step,
  )
}

const chain: LabelRule = {
  kind: 'compaction-chain',
  planted: (base, chance) => {
    const loops = chance.whole(3, 8)
    const steps = short(base)
    const tail = Array.from({ length: loops }, (): FilledStep[] => [
      COMPACTION,
      ...turn(chance.whole(15_000, 20_000)),
      ...(chance.share() < 0.4 ? turn(chance.whole(15_000, 20_000)) : []),
    ])
    return { steps: [...steps, ...tail.flat()] }
  },
  alike: (base, chance) => {
    const every = chance.whole(4, 8)
    return {
      steps: compacted(
        firstCalls(atLeast(short(base), 5 * every), 5 * every),
        every,
        ({ total }) => total * 0.6,
      ),
    }
  },
}

const HOLLOW = [
  '',
  'No prior history.',
  '## Goal\n(none)\n## Progress\n(none)\n## Decisions\n(none)\n## Next steps\n(none)',
  'Summary unavailable due to context limits.',
  'The conversation was summarised.',
]

const emptySummary: LabelRule = {
  kind: 'empty-summary',
  planted: (base, chance) => ({
    steps: [
      ...short(base),
      ...turn(40_000),
      { is: 'compaction', summary: chance.one(HOLLOW) },
      ...turn(9_000),
    ],
  }),
  alike: (base, chance) =>
    chance.share() < 0.3
      ? {
          steps: [
            ...firstCalls(warm(base, 2_000), 6),
            { is: 'compaction', summary: 'Little was said.' },
            ...turn(1_500),
          ],
        }
      : {
          steps: [
            ...short(base),
            ...turn(40_000),
            {
              is: 'compaction',
              summary: `${GOOD_SUMMARY} ${'The crew said so. '.repeat(chance.whole(4, 40))}`,
            },
            ...turn(9_000),
          ],
        },
}

const WINDOW = 200_000
const LINE = 180_000
const lined = { windows: { 'claude-sonnet-4-5': WINDOW }, lineOf: () => LINE } as const

const late: LabelRule = {
  kind: 'compaction-late',
  planted: (base, chance) => {
    const above = chance.whole(3, 9)
    const turns = Array.from({ length: above }, (_, i) => turn(LINE + 500 + i * chance.whole(200, 1500)))
    return { steps: [...firstCalls(warm(base), 10), ...turns.flat()], of: lined }
  },
  // In the middle of a turn runtimes do not look; and one or two turns above are on time.
  alike: (base, chance) => {
    const above = Array.from({ length: chance.whole(1, 2) }, () => turn(LINE + 900))
    const middle: FilledStep[] = [
      { is: 'user', units: 20 },
      ...Array.from({ length: chance.whole(3, 8) }, (_, i): FilledStep[] => [
        { is: 'call', total: LINE - 2_000 + i * 600, output: 40, tools: ['read'] },
        { is: 'result', units: 300 },
      ]).flat(),
    ]
    return {
      steps: [...firstCalls(warm(base), 10), ...middle, ...above.flat(), COMPACTION, ...turn(30_000)],
      of: lined,
    }
  },
}

const early: LabelRule = {
  kind: 'compaction-early',
  planted: (base, chance) => ({
    steps: compacted(
      firstCalls(atLeast(short(base), 30), 30),
      chance.whole(5, 8),
      ({ total }) => total * 0.7,
    ),
    of: lined,
  }),
  alike: (base, chance) => {
    const rounds = Array.from({ length: 4 }, (): FilledStep[] => [
      ...Array.from({ length: 5 }, (_, i) => turn(LINE * chance.between(0.6, 0.99) + i)).flat(),
      COMPACTION,
      ...turn(40_000),
    ])
    // Where the provider says nothing of its prompts, how full they were is not known.
    if (chance.share() < 0.3) {
      const early = compacted(firstCalls(atLeast(short(base), 30), 30), 6, ({ total }) => total * 0.7)
      return { steps: unmeasured(early), of: lined }
    }
    // One or two were asked for.
    const asked = compacted(firstCalls(short(base), 8), 6, ({ total }) => total * 0.7)
    return { steps: [...(callSteps(base).length > 8 ? asked : []), ...rounds.flat()], of: lined }
  },
}

const unprofitable: LabelRule = {
  kind: 'compaction-unprofitable',
  planted: (base, chance) => ({
    steps: compacted(
      firstCalls(atLeast(short(base), 24), 24),
      chance.whole(3, 5),
      ({ total }) => total * chance.between(0.82, 0.9),
    ),
  }),
  alike: (base, chance) => ({ steps: paying(base, chance) }),
}

/** Each compaction frees most of a large prompt, and many calls follow. */
function paying(base: readonly FilledStep[], chance: Chance): FilledStep[] {
  const every = chance.whole(16, 24)
  return compacted(
    firstCalls(atLeast(short(base), every * 4), every * 4),
    every,
    ({ total }) => total * chance.between(0.15, 0.3),
  )
}

export const COMPACTION_RULES: readonly LabelRule[] = [
  freesNothing,
  chain,
  emptySummary,
  late,
  early,
  unprofitable,
]
