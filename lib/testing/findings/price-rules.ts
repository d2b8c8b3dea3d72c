import type { SystemPromptReport } from '../../core/transcript/session-index'
import { atLeast, firstCalls, type LabelRule, turn, warm, withCalls } from './rule'
import type { Chance, FilledStep } from './talk'

const MINUTE = 60_000

const prefixChanged: LabelRule = {
  kind: 'cache-prefix-changed',
  planted: (base, chance) => {
    const share = chance.between(0.2, 0.9)
    const steps = warm(atLeast(base, 30))
    return {
      steps: withCalls(steps, (call, i) => {
        if (i < 3 || chance.share() > share) return [call]
        const read = Math.round(call.total * chance.between(0, 0.2))
        return [{ ...call, read, write: call.total - read }]
      }),
    }
  },
  // A tool list that changed once or twice, a cache that had expired, another model: none of them is a habit.
  alike: (base, chance) => {
    const steps = warm(atLeast(base, 30))
    const which = chance.whole(0, 2)
    return {
      steps: withCalls(steps, (call, i) => {
        const cold = { ...call, read: 0, write: call.total }
        if (which === 0) return [i === 7 || i === 19 ? cold : call]
        if (which === 1) return [i % 6 === 5 ? { ...cold, gapMs: chance.whole(6, 90) * MINUTE } : call]
        return [i % 6 === 5 ? { ...cold, model: 'claude-haiku-4-5' } : call]
      }),
    }
  },
}

const expired: LabelRule = {
  kind: 'cache-expired',
  planted: (base, chance) => ({
    steps: withCalls(warm(atLeast(base, 24)), (call, i) =>
      i > 0 && i % 5 === 0
        ? [{ ...call, read: 0, write: call.total, gapMs: chance.whole(6, 300) * MINUTE }]
        : [call],
    ),
  }),
  // Pauses that are short, or after which the cache was still there (an hour).
  alike: (base, chance) => ({
    steps: withCalls(warm(atLeast(base, 24)), (call, i) => {
      if (i === 0 || i % 5 !== 0) return [call]
      return chance.share() < 0.5
        ? [{ ...call, gapMs: chance.whole(1, 4) * MINUTE }]
        : [{ ...call, gapMs: chance.whole(6, 55) * MINUTE }]
    }),
  }),
}

const START = Date.UTC(2026, 10, 1, 8)

const resume: LabelRule = {
  kind: 'resume-after-idle',
  planted: (base, chance) => {
    const steps = warm(firstCalls(base, 10), chance.whole(110_000, 160_000))
    return { steps, of: { now: START + chance.whole(2, 60) * 60 * MINUTE } }
  },
  alike: (base, chance) => {
    const now = START + chance.whole(2, 60) * 60 * MINUTE
    const small = { steps: warm(firstCalls(base, 10), chance.whole(5_000, 70_000)), of: { now } }
    const large = warm(firstCalls(base, 10), 130_000)
    return chance.one([
      small,
      { steps: large, of: { now: START + 400 * 60 * 60 * MINUTE } },
      { steps: large, of: { now, state: 'reset' as const } },
      {
        steps: large.map((step) => (step.is === 'call' ? { ...step, read: 0, write: 0 } : step)),
        of: { now },
      },
    ])
  },
}

const WINDOWS = { 'claude-sonnet-4-5': 64_000 }

const oversized: LabelRule = {
  kind: 'oversized-result',
  planted: (base, chance) => {
    const units = chance.whole(16_000, 40_000)
    return {
      steps: [
        ...firstCalls(warm(base, 8_000), 8),
        { is: 'call', total: 10_000, output: 40, tools: ['read'] },
        { is: 'result', units },
        { is: 'call', total: 10_100 + units, output: 40 },
        ...turn(10_300 + units),
      ],
      of: { windows: WINDOWS },
    }
  },
  alike: (base, chance) => {
    const units = chance.whole(2_000, 9_000)
    return {
      steps: [
        ...small(firstCalls(warm(base, 8_000), 8)),
        { is: 'call', total: 10_000, output: 40, tools: ['read'] },
        { is: 'result', units },
        { is: 'call', total: 10_100 + units, output: 40 },
      ],
      of: { windows: WINDOWS },
    }
  },
}

function small(steps: readonly FilledStep[]): FilledStep[] {
  return steps.map((step) =>
    step.is === 'user' || step.is === 'result' ? { ...step, units: Math.min(step.units, 300) } : step,
  )
}

const kept: LabelRule = {
  kind: 'kept-too-long',
  planted: (base, chance) => ({
    steps: withOldResults(base, chance.whole(85, 110), chance.whole(900, 1500)),
  }),
  // Long, and compacted in time; or short.
  alike: (base, chance) => {
    const steps = withOldResults(base, chance.whole(70, 90), chance.whole(900, 1500))
    if (chance.share() < 0.3) return { steps: firstCalls(steps, 30) }
    return {
      steps: withCalls(steps, (call, i) =>
        i > 0 && i % 30 === 0 ? [{ is: 'compaction', summary: 'Done so far. '.repeat(30) }, call] : [call],
      ),
    }
  },
}

/** So many calls, each with a result that stays. */
function withOldResults(base: readonly FilledStep[], calls: number, units: number): FilledStep[] {
  const asked = base.find((step) => step.is === 'user') ?? { is: 'user', units: 20 }
  return [
    { ...asked, units: 40 } as FilledStep,
    ...Array.from({ length: calls }, (_, i): FilledStep[] => [
      { is: 'call', total: 4_000 + i * (units + 60), output: 40, tools: ['read'] },
      { is: 'result', units },
    ]).flat(),
  ]
}

function reportOf(over: Partial<SystemPromptReport>): SystemPromptReport {
  return {
    ...{ systemPromptChars: 30_000, projectContextChars: 8_000, skillsChars: 3_000, toolListChars: 0 },
    ...{ toolSchemaChars: 40_000, files: [], skills: [], tools: [] },
    ...over,
  }
}

const fixed: LabelRule = {
  kind: 'fixed-overhead',
  planted: (base, chance) => {
    const toolSchemaChars = chance.whole(50_000, 120_000)
    return {
      steps: warm(atLeast(base, 14), Math.round(10_000 + toolSchemaChars / 4)),
      of: { index: { report: reportOf({ toolSchemaChars }) } },
    }
  },
  alike: (base, chance) => {
    const most = chance.share() < 0.5
    return {
      steps: warm(atLeast(base, 14), most ? 120_000 : 9_000),
      of: {
        index: { report: reportOf({ toolSchemaChars: most ? 60_000 : 9_000, systemPromptChars: 12_000 }) },
      },
    }
  },
}

/** Tools of which some are called in the session. */
function tools(chance: Chance, unused: number, chars: number): SystemPromptReport {
  const names = ['read', 'exec', 'grep', ...Array.from({ length: unused }, (_, i) => `tool_${i}`)]
  const all = names.map((name) => ({
    name,
    schemaChars: Math.round(chars * chance.between(0.8, 1.2)),
    summaryChars: 60,
  }))
  return reportOf({ tools: all, toolSchemaChars: all.reduce((sum, { schemaChars }) => sum + schemaChars, 0) })
}

const unusedTools: LabelRule = {
  kind: 'unused-tools',
  planted: (base, chance) => ({
    steps: calling(atLeast(warm(base, 40_000), 40)),
    of: { index: { report: tools(chance, chance.whole(15, 30), 1_800) } },
  }),
  alike: (base, chance) => ({
    steps: calling(
      chance.share() < 0.4 ? firstCalls(warm(base, 40_000), 20) : atLeast(warm(base, 40_000), 40),
    ),
    of: { index: { report: tools(chance, chance.whole(0, 6), 1_800) } },
  }),
}

function calling(steps: readonly FilledStep[]): FilledStep[] {
  return withCalls(steps, (call, i) => [
    { ...call, tools: [['read', 'exec', 'grep'][i % 3] ?? 'read'] },
    { is: 'result', units: 10 },
  ])
}

const bootstrapCut: LabelRule = {
  kind: 'bootstrap-cut',
  planted: (base, chance) => ({
    steps: firstCalls(warm(base), 6),
    of: { index: { report: files(chance, true) } },
  }),
  alike: (base, chance) => ({
    steps: firstCalls(warm(base), 6),
    of: { index: { report: files(chance, false) } },
  }),
}

function files(chance: Chance, cut: boolean): SystemPromptReport {
  const rawChars = chance.whole(21_000, 60_000)
  const file = {
    name: 'AGENTS.md',
    missing: false,
    rawChars,
    injectedChars: cut ? 20_000 : rawChars,
    truncated: cut,
  }
  // A missing file has a line that says so, and one that the runtime knows nothing of has no size.
  const missing = { name: 'SOUL.md', missing: true, rawChars: 0, injectedChars: 60, truncated: false }
  const unsure = { name: 'USER.md', missing: false, rawChars: 900, injectedChars: null, truncated: null }
  return reportOf({ files: [file, missing, unsure] })
}

const heartbeat: LabelRule = {
  kind: 'heartbeat-drag',
  planted: (base, chance) => ({
    steps: [
      ...firstCalls(warm(base), 6),
      ...Array.from({ length: chance.whole(5, 40) }, (_, i): FilledStep[] => [
        { is: 'user', units: 0, text: chance.one(POLLS), gapMs: 30 * MINUTE },
        { is: 'call', total: chance.whole(20_000, 60_000) + i * 50, output: 10, gapMs: 3_000 },
      ]).flat(),
    ],
  }),
  // Few polls, or in a short session; or questions about heartbeats.
  alike: (base, chance) => ({
    steps: [
      ...firstCalls(warm(base), 6),
      ...Array.from({ length: chance.whole(5, 30) }, (_, i): FilledStep[] => [
        {
          is: 'user',
          units: 0,
          text: chance.one(['How is the heart today?', 'Look at the cron table of the harbour.', 'Go on.']),
        },
        { is: 'call', total: 20_000 + i * 50, output: 10 },
      ]).flat(),
      ...Array.from({ length: chance.whole(0, 4) }, (): FilledStep[] => [
        { is: 'user', units: 0, text: POLLS[0] ?? '' },
        { is: 'call', total: 20_000, output: 10 },
      ]).flat(),
    ],
  }),
}

const POLLS = [
  '[OpenClaw heartbeat poll] Anything to do?',
  'Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK.',
  '[cron:daily-report] Write the report of the day.',
]

const fanout: LabelRule = {
  kind: 'subagent-fanout',
  planted: (base, chance) => ({
    steps: [...firstCalls(warm(base), 6), ...spawning(chance.whole(6, 16), false)],
  }),
  alike: (base, chance) => ({
    steps: [...firstCalls(warm(base), 6), ...spawning(chance.whole(2, 12), true)],
  }),
}

/** @param apart one in each turn */
function spawning(count: number, apart: boolean): FilledStep[] {
  return [
    { is: 'user', units: 20 },
    ...Array.from({ length: count }, (_, i): FilledStep[] => [
      ...(apart && i % 3 === 0 ? [{ is: 'user', units: 20 } as const] : []),
      { is: 'call', total: 20_000 + i * 300, output: 40, tools: ['sessions_spawn'] },
      { is: 'result', units: 100 },
    ]).flat(),
  ]
}

export const PRICE_RULES: readonly LabelRule[] = [
  prefixChanged,
  expired,
  resume,
  oversized,
  kept,
  fixed,
  unusedTools,
  bootstrapCut,
  heartbeat,
  fanout,
]
