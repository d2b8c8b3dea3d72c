import type { ExperimentResult } from '../../../core/replay/experiment-result'
import { experimentHash } from '../../../engine/replay/experiments'
import { IN_FORCE } from '../../../engine/replay/policy-choice'
import { runReplay } from '../../../engine/replay/run-replay'
import { STAGE_WORDS } from '../../../view/lab/stage-words'
import { openCliLab, orRefused } from '../../choose/open-lab'
import { checkLimits, type ReplayLimits } from '../../choose/replay-limits'
import { type ReplaySelection, saveNamed } from '../../choose/replay-selection'
import { EXIT, type ExitCode, type Io } from '../../io'
import { note, write, writeJson } from '../../print/output'
import { progressLine } from '../../print/progress-line'
import { resultJson, resultText } from '../../print/replay-result'

export type ReplayOptions = ReplaySelection &
  ReplayLimits & {
    readonly policy?: readonly string[]
    readonly save?: string
  }

/** What is compared with where nothing is named. */
const USUAL = [IN_FORCE, 'draft', 'as-it-was', 'everything']

/** Replays policies over recorded sessions: what each would have saved, and what it would have lost of later needs. */
export async function replay(io: Io, options: ReplayOptions): Promise<ExitCode> {
  const lab = await openCliLab(io, options, options.policy ?? [])
  const policies = options.policy === undefined ? USUAL : lab.named
  const line = progressLine(io)
  let result: ExperimentResult | null
  try {
    result = await orRefused(() =>
      runReplay(
        lab.ports,
        { sessions: lab.choice, policies },
        {
          report: (stage, done, of) => line.show(`${STAGE_WORDS[stage]}: ${done} of ${of}`),
        },
      ),
    )
  } finally {
    line.clear()
  }
  if (result === null) return EXIT.fault
  for (const { title, problem } of result.problems) await note(io, `${title}: ${problem}`)
  const limits = checkLimits(result.policies, options.policy === undefined ? [] : policies, options)
  const saved = await saveNamed(io, options.save, { kind: 'replay', sessions: lab.choice, policies }, result)
  if (options.json)
    await writeJson(io, { ...resultJson(result), hash: experimentHash(result), limits, experiment: saved })
  else await write(io.stdout, resultText(result, limits))
  return limits.some(({ isKept }) => !isKept) ? EXIT.no : EXIT.done
}
