import type { WindowProof } from '../../budget/window'
import { countPrompt, type FrameSetup } from '../../tokens/build-frame'
import { type Calibration, startCalibration } from '../../tokens/calibration'
import { type CutState, noteCall } from '../../tokens/cut-prompts'
import type { Figure } from '../../tokens/figure'
import { reportedPrompt } from '../../tokens/usage'
import type { EntryFact } from '../entry'
import type { SentState } from '../replay-state'
import type { FoldSnapshot } from './fold-step'
import { modelKey } from './fold-totals'

type ModelCalibration = {
  readonly provider: string | null
  readonly model: string | null
  readonly calibration: Calibration
}

/** What a provider reported of a call, held against what was sent. */
export type JudgedReport = {
  /** What was sent, where the provider saw less; null: what it reported. */
  readonly sent: Figure | null
  readonly isCut: boolean
  /** Nothing is to be learned from it. */
  readonly isDoubtful: boolean
}

type ModelsState = Pick<FoldSnapshot, 'calibrations' | 'lastUsage' | 'cuts'>

/** What the calls of a session have shown of the models that it asked: how they count, and sizes that prompts are cut to. */
export class KnownModels {
  private calibrations: { [modelKey: string]: Calibration }
  private lastUsage: string | null
  private readonly cuts: { [modelKey: string]: CutState }
  /** The calibration that was asked for last: nearly always the next one too. */
  private latest: ModelCalibration | null = null

  constructor({ calibrations, lastUsage, cuts }: ModelsState = NOTHING_KNOWN) {
    this.calibrations = { ...calibrations }
    this.lastUsage = lastUsage
    this.cuts = { ...cuts }
  }

  snapshot(): ModelsState {
    return { calibrations: this.calibrations, lastUsage: this.lastUsage, cuts: { ...this.cuts } }
  }

  /** @param accepted the largest prompt that the model has taken, as `TotalsTally` knows it */
  proofFor(provider: string | null, model: string | null, accepted: WindowProof['accepted']): WindowProof {
    const cut = this.cuts[modelKey(provider, model)]
    return { accepted, cut: cut?.isProved ? cut.size : null }
  }

  /** Whether the provider is proved to cut prompts of the model. */
  cutsPrompts(provider: string | null, model: string | null): boolean {
    return this.cuts[modelKey(provider, model)]?.isProved === true
  }

  calibrationFor(provider: string | null, model: string | null): Calibration {
    const { latest } = this
    if (latest !== null && latest.provider === provider && latest.model === model) return latest.calibration
    const calibration = this.calibrations[modelKey(provider, model)] ?? startCalibration(provider, model)
    this.latest = { provider, model, calibration }
    return calibration
  }

  keepCalibration(provider: string | null, model: string | null, calibration: Calibration): void {
    this.calibrations[modelKey(provider, model)] = calibration
    this.latest = { provider, model, calibration }
  }

  /**
   * Whether the provider saw the whole prompt of a call, going by what it reported before.
   * @param turns of the user so far
   */
  judgeReport(
    fact: EntryFact,
    state: SentState,
    calibration: Calibration,
    setup: FrameSetup,
    turns: number,
  ): JudgedReport {
    const reported = reportedPrompt(fact)
    const copied = this.noteUsage(fact, turns)
    if (reported === null) return { sent: null, isCut: false, isDoubtful: false }
    const key = modelKey(fact.provider ?? null, fact.model ?? null)
    const before = this.cuts[key] ?? null
    const { anchor } = state
    const isSame = reported === anchor?.total || (before?.isProved === true && reported === before.size)
    const counted = anchor === null || isSame ? countPrompt(state, calibration, setup) : null
    const sent = counted !== null && (counted.value ?? 0) > reported ? counted : null
    const noted = noteCall(before, { reported, sent, copied })
    this.cuts[key] = noted.state
    return { sent, isCut: noted.isCut, isDoubtful: noted.isCut || (isSame && sent !== null) }
  }

  /** Notes the usage of a call, and answers whether it is that of the call before, with nothing asked in between. */
  private noteUsage({ provider, model, usage }: EntryFact, turns: number): boolean {
    const before = this.lastUsage
    this.lastUsage = JSON.stringify([provider, model, usage, turns])
    return this.lastUsage === before
  }
}

const NOTHING_KNOWN: ModelsState = { calibrations: {}, lastUsage: null, cuts: {} }
