import { tunedId } from '../../../core/findings/remedies/tuned-kinds'
import type { ExperimentResult } from '../../../core/replay/experiment-result'
import { experimentHash } from '../../../engine/replay/experiments'
import { runTune } from '../../../engine/replay/run-tune'
import { STAGE_WORDS } from '../../../view/lab/stage-words'
import { openCliLab, orRefused } from '../../choose/open-lab'
import { type ReplaySelection, saveNamed } from '../../choose/replay-selection'
import { EXIT, type ExitCode, type Io } from '../../io'
import { note, write, writeJson } from '../../print/output'
import { progressLine } from '../../print/progress-line'
import { resultJson, resultText, tuneText } from '../../print/replay-result'

export type TuneOptions = ReplaySelection & { readonly save?: string }

/** Looks for a policy that saves more and loses little, on some recorded sessions, and measures it on others. */
export async function tune(io: Io, options: TuneOptions): Promise<ExitCode> {
  const { ports, choice } = await openCliLab(io, options, [])
  const line = progressLine(io)
  let result: ExperimentResult | null
  try {
    result = await orRefused(() =>
      runTune(
        ports,
        { sessions: choice },
        { report: (stage, done, of) => line.show(`${STAGE_WORDS[stage]}: ${done} of ${of}`) },
      ),
    )
  } finally {
    line.clear()
  }
  if (result === null) return EXIT.fault
  for (const { title, problem } of result.problems) await note(io, `${title}: ${problem}`)
  const saved = await saveNamed(io, options.save, { kind: 'tune', sessions: choice, policies: [] }, result)
  if (options.json)
    await writeJson(io, { ...resultJson(result), hash: experimentHash(result), experiment: saved })
  else await write(io.stdout, `${tuneText(result)}${appliedBy(result, saved)}\n${resultText(result, [])}`)
  return EXIT.done
}

/** How a pick that gains is applied as a remedy, where the tuning is kept. */
function appliedBy({ tune }: ExperimentResult, saved: string | null): string {
  const gains = tune?.picks.filter(({ verdict, overLimit }) => verdict === 'gain' && !overLimit) ?? []
  if (gains.length === 0) return ''
  return saved === null
    ? '\nKept with --save NAME, a pick can be applied as a remedy.\n'
    : gains
        .map(({ pick }) => `\nplimsoll findings apply ${tunedId(saved, pick)} --dry-run`)
        .join('')
        .concat('\n')
}
