import 'server-only'
import { visibleLine } from '../../view/text/visible-text'
import { isOpenToLocalUsers } from '../access/signed-in'
import { getSetup } from '../process/setup'

const OPEN =
  'Every account and every program on this machine can look and act here as you. Start without --open-to-local-users and PLIMSOLL_OPEN_TO_LOCAL_USERS to end that.'

/** What the operator should know about who decides and who may look. Where the setup is wrong, pages say so themselves. */
export function getSafetyNotices(): readonly string[] {
  try {
    const { passedOver } = getSetup()
    return [
      ...(isOpenToLocalUsers() ? [OPEN] : []),
      ...(passedOver === null ? [] : [visibleLine(passedOver)]),
    ]
  } catch {
    return []
  }
}
