import { CORPUS } from '../../corpus'
import { readerAgreement } from '../relevance/judged-needs'
import type { Bench } from '../report'
import { calibration, precision, speed } from './lab-figures'
import { hardPlants } from './lab-hard-plants'
import { labMaterial } from './lab-material'
import { placebo } from './lab-placebo'
import { plantedLosses } from './lab-plants'
import { recordedCompactions } from './lab-recorded'

/** What sessions need, against what it must not find and must find, over the corpus. */
export const labBench: Bench = {
  name: 'lab',
  title: 'Lab: needs and the cache of recorded sessions',
  async run({ log }) {
    if (CORPUS === null) {
      log('no corpus of real sessions here: nothing to measure')
      return []
    }
    const material = await labMaterial(CORPUS)
    return [
      ...(await recordedCompactions(CORPUS, log)),
      ...calibration(material),
      ...placebo(material),
      ...plantedLosses(material),
      ...hardPlants(material),
      ...precision(material),
      ...readerAgreement(material),
      ...speed(material),
    ]
  },
}
