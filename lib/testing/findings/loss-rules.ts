import { firstCalls, GOOD_SUMMARY, type LabelRule, turn, warm } from './rule'
import type { Chance, FilledStep } from './talk'

const COMPACTION: FilledStep = { is: 'compaction', summary: GOOD_SUMMARY }

/** What is never or always done, and with what: telling words that no other text of the set has. */
const DEEDS = ['deploy', 'overwrite', 'rename', 'publish', 'truncate', 'reformat']
const THINGS = [
  'the billing schema',
  'vendor certificates',
  'the staging cluster',
  'customer invoices',
  'locale files',
]
const PLACES = ['without a reviewed ticket', 'before the nightly snapshot', 'outside of business hours']

type Parts = { readonly deed: string; readonly thing: string; readonly place: string }

function partsOf(chance: Chance): Parts {
  return { deed: chance.one(DEEDS), thing: chance.one(THINGS), place: chance.one(PLACES) }
}

function ruleOf({ deed, thing, place }: Parts, chance: Chance): string {
  return chance.one([
    `Never ${deed} ${thing} ${place}.`,
    `Please never ${deed} ${thing} ${place}, whatever happens.`,
    `You must not ${deed} ${thing} ${place}.`,
    `Important: always ask me first when you ${deed} ${thing} ${place}.`,
    `- The agent must always check ${thing} ${place} and never ${deed} them.`,
  ])
}

/** A rule, some work, and a compaction behind which the work goes on. */
function aroundRule(
  base: readonly FilledStep[],
  text: string,
  summary: string,
  after: readonly FilledStep[] = [],
): FilledStep[] {
  const steps = warm(base)
  return [
    ...firstCalls(steps, 3),
    { is: 'user', units: 20, text },
    { is: 'call', total: 30_000, output: 40 },
    ...firstCalls(steps, 6),
    ...turn(40_000),
    { is: 'compaction', summary },
    ...after,
    ...turn(12_000),
    ...turn(12_500),
  ]
}

const rulesLost: LabelRule = {
  kind: 'rules-lost',
  planted: (base, chance) => {
    const text = ruleOf(partsOf(chance), chance)
    const before = chance.share() < 0.5 ? 'Thanks, go on with the berths. ' : ''
    return { steps: aroundRule(base, `${before}${text}`, GOOD_SUMMARY) }
  },
  // Kept word for word, in other words, by being said again; or it only sounds like a rule, or is the runtime's.
  alike: (base, chance) => {
    const parts = partsOf(chance)
    const { deed, thing, place } = parts
    const rule = ruleOf(parts, chance)
    const [kept, reworded, again, sound, hosts] = [0.2, 0.4, 0.6, 0.8, 1]
    const share = chance.share()
    if (share < kept) return { steps: aroundRule(base, rule, `${GOOD_SUMMARY}\n## Rules\n${rule}`) }
    if (share < reworded) {
      const said = `The agent is asked first, and checks when it is going to ${deed} ${thing} ${place} ${'whatever happens'}.`
      return { steps: aroundRule(base, rule, `${GOOD_SUMMARY}\n${said}`) }
    }
    if (share < again) {
      const said: FilledStep = { is: 'user', units: 20, text: `Once more: ${rule}` }
      return { steps: aroundRule(base, rule, GOOD_SUMMARY, [said]) }
    }
    const story = chance.one([
      `It always fails when I ${deed} ${thing} ${place}.`,
      `There must be a reason why we ${deed} ${thing} ${place}.`,
      `I have never seen anyone ${deed} ${thing} ${place}.`,
      `Must we ${deed} ${thing} ${place}?`,
    ])
    if (share < sound) return { steps: aroundRule(base, story, GOOD_SUMMARY) }
    if (share < hosts)
      return { steps: aroundRule(base, `<system-reminder>\n${rule}\n</system-reminder>`, GOOD_SUMMARY) }
    return { steps: [...base] }
  },
}

const NAMES = ['ledger', 'tides', 'cranes', 'moorings', 'pilots', 'buoys', 'customs', 'ferries']

/** A call for each of these, and what it answered. */
function fetches(calls: readonly (readonly [tool: string, args: object])[], units: number): FilledStep[] {
  return calls.flatMap(([tool, args]): FilledStep[] => [
    { is: 'call', total: 30_000, output: 30, tools: [tool], args: [args] },
    { is: 'result', units },
  ])
}

function reads(chance: Chance, count: number): (readonly [string, object])[] {
  const way = chance.whole(0, 2)
  return NAMES.slice(0, count).map((name) => {
    const path = `/w/src/${name}.ts`
    if (way === 0) return ['read', { path }]
    if (way === 1) return ['exec', { command: `cat ${path}` }]
    return ['grep', { pattern: `${name}Berth`, path: '/w/src' }]
  })
}

const wantedAgain: LabelRule = {
  kind: 'wanted-again',
  planted: (base, chance) => {
    const calls = reads(chance, chance.whole(6, 8))
    const units = chance.whole(200, 3_000)
    return {
      steps: [
        ...firstCalls(warm(base), 6),
        ...fetches(calls, units),
        ...turn(40_000),
        COMPACTION,
        ...turn(12_000),
        ...fetches(calls.slice(0, chance.whole(5, calls.length)), units),
        ...turn(20_000),
      ],
    }
  },
  // Changed in between, named by the summary, other parts, things that are done anew, workspace files, or no compaction.
  alike: (base, chance) => {
    const units = chance.whole(200, 3_000)
    const calls = reads(chance, 8)
    const files = NAMES.map((name) => `/w/src/${name}.ts`)
    const around = (
      first: typeof calls,
      between: readonly FilledStep[],
      then: typeof calls,
      middle: FilledStep | null = COMPACTION,
    ) => ({
      steps: [
        ...firstCalls(warm(base), 6),
        ...fetches(first, units),
        ...turn(40_000),
        ...(middle === null ? [] : [middle]),
        ...between,
        ...turn(12_000),
        ...fetches(then, units),
        ...turn(20_000),
      ],
    })
    const whole = files.map((path) => ['read', { path }] as const)
    const part = (from: number) => files.map((path) => ['read', { path, offset: from, limit: 80 }] as const)
    switch (chance.whole(0, 5)) {
      case 0: {
        const edits = files.map((path) => ['edit', { path, oldText: 'a', newText: 'b' }] as const)
        return around([...whole], fetches(edits, 20), [...whole])
      }
      case 1: {
        const summary = `${GOOD_SUMMARY}\nFiles: ${files.join(', ')}`
        return around([...whole], [], [...whole], { is: 'compaction', summary })
      }
      case 2:
        return around([...part(0)], [], [...part(80)])
      case 3: {
        const runs = NAMES.map((name) => ['exec', { command: `npm test -- ${name}` }] as const)
        return around([...runs], [], [...runs])
      }
      case 4: {
        const own = ['AGENTS.md', 'SOUL.md', 'USER.md', 'TOOLS.md', 'memory/2026-11-01.md', 'MEMORY.md']
        const hosts = own.map((path) => ['read', { path }] as const)
        return around([...hosts], [], [...hosts])
      }
      default:
        return around(calls, [], calls, null)
    }
  },
}

/** A summary of so many lines. */
function longSummary(lines: number, from = 0): string {
  return Array.from(
    { length: lines },
    (_, i) => `- Berth ${from + i} was counted, and its ${NAMES[i % NAMES.length]} were written down.`,
  ).join('\n')
}

/** A summary, work after it, and the summary of that. */
function twoSummaries(
  base: Parameters<typeof warm>[0],
  summary: string,
  work: readonly FilledStep[],
  again: string,
): FilledStep[] {
  return [
    ...firstCalls(warm(base), 6),
    { is: 'compaction', summary },
    ...work,
    { is: 'compaction', summary: again },
    ...turn(12_000),
  ]
}

const summaryCopied: LabelRule = {
  kind: 'summary-copied',
  planted: (base, chance) => {
    const summary = longSummary(chance.whole(20, 60))
    const work = Array.from({ length: chance.whole(6, 12) }, () => turn(30_000, {}, 900)).flat()
    const again = chance.share() < 0.5 ? summary : `${summary}\nNothing else.`
    return { steps: twoSummaries(base, summary, work, again) }
  },
  // It goes on with what came, is written anew, or nothing came between the two.
  alike: (base, chance) => {
    const lines = chance.whole(20, 60)
    const summary = longSummary(lines)
    const isQuick = chance.share() < 0.3
    const work = isQuick ? turn(30_000) : Array.from({ length: 8 }, () => turn(30_000, {}, 900)).flat()
    const more = longSummary(chance.whole(8, 16), lines)
    const again = isQuick ? summary : chance.share() < 0.5 ? `${summary}\n${more}` : longSummary(lines, 100)
    return { steps: twoSummaries(base, summary, work, again) }
  },
}

export const LOSS_RULES: readonly LabelRule[] = [rulesLost, wantedAgain, summaryCopied]
