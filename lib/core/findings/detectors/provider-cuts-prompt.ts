import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector, type FoundSign } from '../detector'
import { byAdvice, setWindow } from '../remedies/offered'
import type { SettledCall } from '../settled-call'
import { addCost, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** What one model's provider cut. */
type Cut = {
  provider: string | null
  model: string | null
  /** What the provider saw of each prompt, and the largest prompt that was sent. Tokens. */
  size: number
  largest: number
  tally: SignTally
  /** Calls before it was proved, with the same report and more sent: they were cut as well. */
  run: { size: number; sent: number[] }
}

type State = { models: Cut[] }

/** More models than this in one session are not listed one by one. */
const MOST_MODELS = 8
/** Calls before the proof that are remembered. */
const MOST_RUN = 16

/** Ollama's `num_ctx` and its like (lib/docs/openclaw.md); `core/tokens/cut-prompts.ts` proves the size. */
const CUTS: Detector<State> = {
  kind: 'provider-cuts-prompt',
  title: 'The provider cuts the prompt',
  about:
    'The model server drops the beginning of every prompt that is longer than its own limit and says nothing. The agent has forgotten what was there, and compactions cannot help it.',
  signs:
    'The same prompt size is reported call after call while what is sent grows: three calls, two of a round size.',
  start: () => ({ models: [] }),
  callChanges: ['models'],
  call: ({ models }, call) => {
    const { frame } = call
    const known = models.find(({ provider, model }) => model === frame.model && provider === frame.provider)
    if (known === undefined && models.length >= MOST_MODELS) return
    const cut = known ?? newCut(frame)
    if (known === undefined) models.push(cut)
    take(cut, call)
  },
  find: ({ models }, { runtime }) => models.flatMap((cut) => signOf(cut, runtime)),
}

export const providerCutsPrompt = detector(CUTS)

function newCut({ provider, model }: SettledCall['frame']): Cut {
  return { provider, model, size: 0, largest: 0, tally: newTally(), run: { size: 0, sent: [] } }
}

function take(cut: Cut, { frame }: SettledCall): void {
  const { seenTokens, total, sent, call, at } = frame
  if (seenTokens === null) {
    const reported = total.basis === 'measured' ? total.value : null
    if (reported === null) return
    const { run } = cut
    if (reported !== run.size) {
      run.size = reported
      if (run.sent.length > 0) run.sent = []
    }
    if (sent?.value != null && sent.value > reported && run.sent.length < MOST_RUN) run.sent.push(sent.value)
    return
  }
  if (cut.run.size === seenTokens) for (const earlier of cut.run.sent) add(cut, earlier, seenTokens, 30)
  cut.run = { size: 0, sent: [] }
  cut.size = seenTokens
  noteTime(cut.tally, { call, at })
  add(cut, total.value ?? 0, seenTokens, total.basis === 'estimated' ? total.errorPct : 0)
}

function add(cut: Cut, sent: number, seen: number, errorPct: number): void {
  cut.largest = Math.max(cut.largest, sent)
  addCost(cut.tally, { tokens: Math.max(0, sent - seen), errorPct, usd: null, usdErrorPct: 0 })
}

function signOf(
  { provider, model, size, largest, tally }: Cut,
  runtime: Parameters<typeof setWindow>[0],
): FoundSign[] {
  if (tally.times === 0) return []
  const name = model ?? 'the model'
  return [
    {
      subject: `${provider}/${model}`,
      cause: `${provider}/${model} ${size}`,
      severity: 'high',
      confidence: 'likely',
      evidence: evidenceOf(tally, { before: Math.round(largest), after: size }),
      cost: costOfTally(tally),
      firstSeen: tally.firstAt,
      lastSeen: tally.lastAt,
      provider,
      model,
      sentence: `The provider of ${name} cut ${counted(tally.paid, 'prompt')} to ${groupedDigits(size)} tokens; up to about ${groupedDigits(largest)} were sent. What was before that did not reach the model.`,
      remedies: [
        byAdvice(
          `Raise the limit where the model runs (Ollama: num_ctx, ${groupedDigits(size)} now), or choose a model with a larger one.`,
        ),
        ...setWindow(
          runtime,
          size,
          `Or set the window to ${groupedDigits(size)}, so that compactions come in time.`,
        ),
      ],
    },
  ]
}
