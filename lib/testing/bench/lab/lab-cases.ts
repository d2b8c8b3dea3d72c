import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { NEED_KINDS } from '../../../core/replay/replay-session'
import { CORPUS } from '../../corpus'
import { casesOf, type Draw, drawCases } from '../relevance/case-draws'
import { caseText } from '../relevance/case-text'
import { judgedSubjects } from '../relevance/judged-needs'
import type { Bench } from '../report'
import { labMaterial, materialOf } from './lab-material'
import { sessionsOfOwners } from './lab-sessions'

/** The next draw; another name draws other cases. */
const DRAW: Draw = { name: 'sixth', kinds: NEED_KINDS, most: 40 }

/** Names a folder of transcripts to draw from in place of the corpus; each folder in it is one owner's. */
const FOLDER = 'PLIMSOLL_CASES'

/**
 * Draws needs under policies that took a source of them away, for a reader who judges them from the texts alone
 * (lib/docs/replay.md#judged-by-hand). Neither the verdict nor anything that comes of it is on the sheet.
 */
export const labCasesBench: Bench = {
  name: 'lab-cases',
  title: 'Needs under policies, to be judged by hand',
  async run({ log }) {
    const own = process.env[FOLDER]
    if (own !== undefined && !existsSync(own))
      throw new Error(`${FOLDER} names ${resolve(own)}, which is not there. Give a folder of transcripts.`)
    if (own === undefined && CORPUS === null) {
      log(`no corpus of real sessions here; name a folder of transcripts in ${FOLDER}`)
      return []
    }
    const material = own === undefined ? labMaterial(CORPUS ?? '') : materialOf(sessionsOfOwners(own))
    const cases = (await material).filter(({ isReal }) => isReal).flatMap(casesOf)
    for (const [i, one] of drawCases(cases, DRAW, judgedSubjects()).entries())
      log(`\n#${DRAW.name}-${i + 1} ${caseText(one)}`)
    return []
  },
}
