import { SourceProblem } from '../../engine/read/source-problem'
import { keeperOf } from './keeper'

/** A database that was given up is left alone for so long at least, however often it is written to. Milliseconds. */
const AGAIN_AFTER = 60_000

type GivenUp = { readonly stamp: string; readonly at: number; readonly problem: SourceProblem }

/** Databases that could not be read to an end, of this process: they are not tried again and again. */
const known = new Map<string, GivenUp>()

/** Records that a database was given up; answers what to tell. @param why what happened, to go behind a colon */
export function giveUp(file: string, stamp: string, why: string): SourceProblem {
  const problem = new SourceProblem(
    'unreadable',
    file,
    `${file} was given up: ${why}. It is damaged, or made to hold its reader up. Everything else is read; ${keeperOf(file).mends}.`,
  )
  known.set(file, { stamp, at: Date.now(), problem })
  return problem
}

/** Why a database is left alone; null when it is to be tried. */
export function givenUp(file: string, stamp: string): SourceProblem | null {
  const entry = known.get(file)
  if (entry === undefined) return null
  if (entry.stamp === stamp || Date.now() - entry.at < AGAIN_AFTER) return entry.problem
  known.delete(file)
  return null
}
