import type { EntryCategory, EntryUnits } from './category'

/** What is known about turning units into one model's tokens. Plain JSON, a few hundred bytes, replaced on learning. */
export type Calibration = {
  readonly provider: string | null
  readonly model: string | null
  readonly samples: number
  readonly factor: number
  readonly perMessage: number
  readonly perImage: number
  readonly errorPct: number
}

/** What came into the context between two successive calls of one model and one segment. */
export type Growth = {
  /** Output tokens that the provider reported for the earlier call; null when unknown. */
  readonly previousOutput: number | null
  /** Units of the assistant message that the earlier call produced. */
  readonly outputUnits: EntryUnits
  /** Units of the other entries that came between the two calls. */
  readonly newUnits: EntryUnits
  /** Number of messages between the two calls, the assistant's included. */
  readonly newMessages: number
  readonly newImages: number
}

export function startCalibration(provider: string | null, model: string | null): Calibration {
  const claude = /claude/i.test(model ?? '')
  return {
    provider,
    model,
    samples: 0,
    factor: claude ? 1.25 : 1,
    perMessage: 10,
    perImage: 1200,
    errorPct: 15,
  }
}

export function sumUnits(units: EntryUnits): number {
  let sum = 0
  for (const value of Object.values(units)) sum += value ?? 0
  return sum
}

/** Expected growth of the prompt in tokens, and its error band in percent. */
export function predictGrowth(c: Calibration, g: Growth): { tokens: number; errorPct: number } {
  const output = g.previousOutput ?? c.factor * sumUnits(g.outputUnits)
  const tokens =
    output + c.factor * sumUnits(g.newUnits) + c.perMessage * g.newMessages + c.perImage * g.newImages
  return { tokens, errorPct: c.errorPct }
}

/** @param measured reported prompt tokens of the later call minus those of the earlier one. */
export function learn(c: Calibration, g: Growth, measured: number): Calibration {
  const units = sumUnits(g.newUnits)
  if (measured <= 0 || units < 50 || g.newImages > 0) return c
  const output = g.previousOutput ?? c.factor * sumUnits(g.outputUnits)
  const seen = (measured - output - c.perMessage * g.newMessages) / units
  if (seen < 0.5 || seen > 3) return c
  const rate = 1 / (c.samples + 3)
  return { ...c, samples: c.samples + 1, factor: c.factor + rate * (seen - c.factor) }
}

/** Tokens per unit. */
export function factorFor(c: Calibration, _category: EntryCategory): number {
  return c.factor
}

/** Tokens that a message costs beside its content. */
export function perMessage(c: Calibration): number {
  return c.perMessage
}

/** Running error band of predicted growth, in percent. */
export function errorOf(c: Calibration): number {
  return c.errorPct
}
