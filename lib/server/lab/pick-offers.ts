import 'server-only'
import { readTunedId } from '../../core/findings/remedies/tuned-kinds'
import { whyNotTuned } from '../../engine/findings/offer-tuned'
import type { PickOffer } from '../../view/lab/pick-offer'
import { openRemedyContext } from '../findings/remedy-context'

/** Whether picks of a tuning can be set for the stores of sessions. @param remedies as `tuned.EXPERIMENT.PICK` */
export async function getPickOffers(
  remedies: readonly string[],
  sessions: readonly string[],
): Promise<readonly PickOffer[]> {
  const named = remedies.flatMap((remedy) => {
    const tuned = readTunedId(remedy)
    return tuned === null ? [] : [{ remedy, ...tuned }]
  })
  const offers: PickOffer[] = []
  for (const session of sessions) {
    const context = await openRemedyContext(session)
    for (const { remedy, ...tuned } of named) {
      const why =
        context === null
          ? 'Its sessions are not there any more.'
          : await whyNotTuned(context.ports, context.own, { ...tuned, finding: null })
      offers.push({ remedy, session, why })
    }
  }
  return offers
}
