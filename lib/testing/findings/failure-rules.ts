import { firstCalls, type LabelRule, turn, warm, withCalls } from './rule'
import type { FilledStep } from './talk'

const SIZES = [2_048, 4_096, 6_000, 8_192]

const cuts: LabelRule = {
  kind: 'provider-cuts-prompt',
  planted: (base, chance) => {
    const size = chance.one(SIZES)
    const each = Math.round(size * chance.between(0.25, 0.5))
    const model = chance.one(['qwen3:8b', 'llama3.3'])
    const steps = Array.from({ length: chance.whole(8, 12) }, (_, i): FilledStep[] => {
      const sent = (i + 1) * (each + 45)
      return [
        { is: 'user', units: each },
        { is: 'call', total: Math.min(size, sent), output: 40, model, provider: 'ollama' },
      ]
    })
    return { steps: [...firstCalls(warm(base), 4), ...steps.flat()] }
  },
  // Repeated requests, a short question again and again, prompts that grow: a size is the same now and then.
  alike: (base, chance) => {
    const model = 'qwen3:8b'
    const size = chance.one(SIZES)
    const which = chance.whole(0, 2)
    const steps = Array.from({ length: 10 }, (_, i): FilledStep[] => {
      if (which === 0)
        return [
          { is: 'user', units: 120 },
          { is: 'call', total: 900 + (i + 1) * 165, output: 40, model },
        ]
      if (which === 1)
        return [{ is: 'reset' }, { is: 'user', units: size }, { is: 'call', total: size, output: 40, model }]
      return [{ is: 'call', total: size, output: 0, model, error: 'overloaded' }]
    })
    return { steps: [...firstCalls(warm(base), 4), { is: 'user', units: 100 }, ...steps.flat()] }
  },
}

const REFUSALS = [
  '400 {"error":{"message":"messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."}}',
  '400 messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9.',
  '400 No tool call found for function call output with call_id call_7.',
  "400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  '400 messages: text content blocks must be non-empty',
  'invalid_replay_transcript: dangling_tool_call',
  '400 After the optional system message, conversation roles must alternate user/assistant',
]
const OTHERS = [
  '429 rate limit exceeded, try again in 20 s',
  '529 overloaded_error: Overloaded',
  'fetch failed: ECONNRESET',
  '401 invalid x-api-key',
  '400 The model `claude-x` does not exist',
  'prompt is too long: 210000 tokens > 200000 maximum',
]

/** The session, then failures with these words, and work again behind them. */
function failing(base: readonly FilledStep[], errors: readonly string[], goesOn: boolean): FilledStep[] {
  return [
    ...firstCalls(warm(base), 8),
    ...errors.flatMap((error): FilledStep[] => [
      { is: 'user', units: 20 },
      { is: 'call', total: 0, output: 0, error },
    ]),
    ...(goesOn ? turn(30_000) : []),
  ]
}

const refusal: LabelRule = {
  kind: 'provider-refusal',
  planted: (base, chance) => ({
    steps: failing(
      base,
      Array.from({ length: chance.whole(1, 4) }, () => chance.one(REFUSALS)),
      chance.share() < 0.5,
    ),
  }),
  alike: (base, chance) => ({
    steps: failing(
      base,
      Array.from({ length: chance.whole(1, 4) }, () => chance.one(OTHERS)),
      true,
    ),
  }),
}

const OVERFLOWS = [
  'prompt is too long: 210000 tokens > 200000 maximum',
  "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
  'Context overflow: prompt too large for the model.',
]

const overflow: LabelRule = {
  kind: 'overflow-uncompacted',
  planted: (base, chance) => ({
    steps: failing(
      base,
      Array.from({ length: chance.whole(2, 6) }, () => chance.one(OVERFLOWS)),
      chance.share() < 0.3,
    ),
  }),
  // One refusal, and the compaction that it leads to; each time.
  alike: (base, chance) => ({
    steps: [
      ...firstCalls(warm(base), 8),
      ...Array.from({ length: chance.whole(1, 3) }, (): FilledStep[] => [
        { is: 'user', units: 20 },
        { is: 'call', total: 0, output: 0, error: chance.one(OVERFLOWS) },
        { is: 'compaction', summary: 'Some of it was done. '.repeat(20) },
        ...turn(20_000),
      ]).flat(),
      ...failing([], [chance.one(OTHERS.slice(0, 5)), chance.one(OTHERS.slice(0, 5))], true),
    ],
  }),
}

const repeated: LabelRule = {
  kind: 'repeated-failure',
  planted: (base, chance) => {
    const error = chance.one(ERRORS)
    return { steps: [...firstCalls(warm(base), 6), ...attempts(chance.whole(3, 12), () => error)] }
  },
  // Different errors, errors with a success between, or a search without a match.
  alike: (base, chance) => {
    const which = chance.whole(0, 2)
    const count = chance.whole(3, 9)
    const steps = attempts(count, (i) => {
      if (which === 0)
        return `${ERRORS[i % ERRORS.length]} (${['first', 'second', 'third'][i % 3]} of ${'abcdefghij'[i % 10]})`
      if (which === 1) return i % 3 === 2 ? null : (ERRORS[0] ?? '')
      return chance.one(['Command exited with code 1', '(no output)\n\nCommand exited with code 1'])
    })
    return { steps: [...firstCalls(warm(base), 6), ...steps] }
  },
}

const ERRORS = [
  'ENOENT: no such file or directory, open /w/log/harbour.md',
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  'SyntaxError: Unexpected token } in JSON at position 1204',
  'permission denied: /srv/berths.yaml',
]

function attempts(count: number, error: (i: number) => string | null): FilledStep[] {
  return Array.from({ length: count }, (_, i): FilledStep[] => {
    const failed = error(i)
    return [
      { is: 'call', total: 20_000 + i * 100, output: 40, tools: ['exec'] },
      { is: 'result', units: 30, ...(failed === null ? {} : { error: failed }) },
    ]
  }).flat()
}

const MODEL = 'claude-sonnet-4-5'

const window: LabelRule = {
  kind: 'window-wrong',
  planted: (base, chance) => {
    const small = chance.share() < 0.5
    const set = small ? chance.whole(16_000, 60_000) : 400_000
    const taken = firstCalls(warm(base), 6)
    return {
      steps: small
        ? [...taken, ...turn(Math.round(set * chance.between(1.1, 2)))]
        : [
            ...taken,
            ...failing(
              [],
              [`prompt is too long: ${chance.whole(210, 390)}000 tokens > 200000 maximum`],
              false,
            ),
          ],
      of: { index: { contextWindow: set, model: MODEL } },
    }
  },
  alike: (base, chance) => {
    const set = chance.one([200_000, 128_000])
    const steps = [...firstCalls(warm(base), 6), ...turn(Math.round(set * chance.between(0.5, 1)))]
    const stated = failing([], [`prompt is too long: ${set + 900} tokens > ${set} maximum`], true)
    return {
      steps: chance.share() < 0.5 ? steps : [...steps, ...stated],
      // The window of another model says nothing of this one.
      of: {
        index:
          chance.share() < 0.3
            ? { contextWindow: 8_000, model: 'small-model' }
            : { contextWindow: set, model: MODEL },
      },
    }
  },
}

const notFit: LabelRule = {
  kind: 'will-not-fit',
  planted: (base, chance) => {
    const size = chance.whole(30_000, 60_000)
    return {
      steps: [
        ...firstCalls(warm(base, 10_000), 5),
        ...turn(size - 200),
        { is: 'user', units: chance.whole(14_000, 25_000) },
      ],
      of: { windows: { [MODEL]: size } },
    }
  },
  alike: (base, chance) => {
    const size = chance.whole(60_000, 100_000)
    const fits = [
      ...firstCalls(warm(base, 10_000), 5),
      ...turn(Math.round(size * chance.between(0.5, 0.9))),
      { is: 'user', units: 500 } as const,
    ]
    const put: readonly FilledStep[] = [
      ...firstCalls(warm(base, 10_000), 5),
      ...turn(size - 200),
      { is: 'user', units: 30_000 },
    ]
    return chance.share() < 0.6
      ? { steps: fits, of: { windows: { [MODEL]: size } } }
      : { steps: put, of: { windows: { [MODEL]: size }, state: 'reset' } }
  },
}

const START = Date.UTC(2026, 10, 1, 8)

const meters: LabelRule = {
  kind: 'meters-disagree',
  planted: (base, chance) => {
    const last = chance.whole(20_000, 60_000)
    const totalTokens = Math.round(
      last * (chance.share() < 0.7 ? chance.between(2, 8) : chance.between(0.1, 0.4)),
    )
    return {
      steps: [...firstCalls(warm(base), 6), ...turn(last)],
      of: { index: { totalTokens, updatedAt: START + 3_600_000 } },
    }
  },
  alike: (base, chance) => {
    const last = chance.whole(20_000, 60_000)
    const steps: readonly FilledStep[] = [...firstCalls(warm(base), 6), ...turn(last, { output: 600 })]
    const later = START + 3_600_000
    const far = last * 5
    return chance.one([
      { steps, of: { index: { totalTokens: last + chance.whole(0, 1_200), updatedAt: later } } },
      { steps, of: { index: { totalTokens: far, totalTokensFresh: false, updatedAt: later } } },
      { steps, of: { index: { totalTokens: far, updatedAt: START - 3_600_000 } } },
      {
        steps: [...steps, { is: 'compaction', summary: 'Done. '.repeat(60) }],
        of: { index: { totalTokens: far, updatedAt: later } },
      },
    ])
  },
}

const BROKEN = [
  '{"type":"message","id":"x',
  'not json at all',
  '[1,2,3]',
  '{"type":"message","message":{"role":"user","cont',
]

const damaged: LabelRule = {
  kind: 'damaged-transcript',
  planted: (base, chance) => {
    const steps = firstCalls(warm(base), 8)
    const line = { is: 'raw', line: chance.one(BROKEN) } as const
    return { steps: steps.toSpliced(chance.whole(1, steps.length - 1), 0, line) }
  },
  // Lines of a type that we do not know are no damage.
  alike: (base, chance) => {
    const steps = firstCalls(warm(base), 8)
    const line = {
      is: 'raw',
      line: `{"type":"${chance.one(['new-thing', 'telemetry'])}","id":"q1","parentId":null}`,
    } as const
    return { steps: [...steps.slice(0, 3), line, ...steps.slice(3)] }
  },
}

const owners: LabelRule = {
  kind: 'two-owners',
  planted: (base, chance) =>
    chance.share() < 0.5
      ? { steps: firstCalls(warm(base), 6), of: { index: { harness: chance.one(['codex', 'claude-cli']) } } }
      : {
          steps: withCalls(firstCalls(warm(base), 6), (call) => [
            { ...call, provider: 'claude-cli', api: 'cli' },
          ]),
        },
  // What OpenClaw itself writes in place of an answer has this API as well, and no usage.
  alike: (base, chance) => {
    const steps = firstCalls(warm(base), 6)
    return chance.share() < 0.5
      ? { steps, of: { index: { harness: chance.one(['openclaw', 'pi', 'embedded']) } } }
      : { steps: [...steps, { is: 'user', units: 9 }, { is: 'call', total: 0, output: 0, api: 'cli' }] }
  },
}

export const FAILURE_RULES: readonly LabelRule[] = [
  cuts,
  refusal,
  overflow,
  repeated,
  window,
  notFit,
  meters,
  damaged,
  owners,
]
