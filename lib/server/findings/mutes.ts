import 'server-only'
import { addMute, readMutes, removeMutes } from '../../config/mutes'
import type { FindingMute } from '../../core/findings/mutes'
import type { DoneAnswer } from '../../view/actions/action-answer'
import { getSetup } from '../process/setup'

/** What is muted now. */
export function currentMutes(): readonly FindingMute[] {
  const now = Date.now()
  return readMutes(getSetup().environment.home).filter(({ until }) => until === null || now < until)
}

/** Mutes all findings of a cause. @param until a day, from which on they show again; '': never */
export function muteOnPage(finding: string, cause: string, reason: string, until: string): DoneAnswer {
  const now = Date.now()
  const day = until === '' ? null : Date.parse(until)
  if (day !== null && day <= now)
    return { kind: 'refused', problem: 'The day is not to come any more; choose a later one.' }
  addMute(getSetup().environment.home, { finding, cause, reason, at: now, until: day })
  return { kind: 'done', message: 'Muted.' }
}

/** Shows them again. */
export function unmuteOnPage(finding: string, cause: string): DoneAnswer {
  removeMutes(getSetup().environment.home, { finding, cause })
  return { kind: 'done', message: 'It shows again.' }
}
