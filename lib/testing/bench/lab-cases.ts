import { NEED_KINDS } from '../../core/replay/replay-session'
import { CORPUS } from '../corpus'
import { casesOf, type Draw, drawCases } from './case-draws'
import { caseText } from './case-text'
import { judgedSubjects } from './judged-needs'
import { labMaterial } from './lab-material'
import type { Bench } from './report'

/** The next draw; another name draws other cases. */
const DRAW: Draw = { name: 'fifth', kinds: NEED_KINDS, most: 30 }

/**
 * Draws needs under policies that took a source of them away, for a reader who judges them from the texts alone
 * (lib/docs/replay.md#judged-by-hand). Neither the verdict nor anything that comes of it is on the sheet.
 */
export const labCasesBench: Bench = {
  name: 'lab-cases',
  title: 'Needs under policies, to be judged by hand',
  async run({ log }) {
    if (CORPUS === null) {
      log('no corpus of real sessions here: there is nothing to judge')
      return []
    }
    const cases = (await labMaterial(CORPUS)).filter(({ isReal }) => isReal).flatMap(casesOf)
    for (const [i, one] of drawCases(cases, DRAW, judgedSubjects()).entries())
      log(`\n#${DRAW.name}-${i + 1} ${caseText(one)}`)
    return []
  },
}
