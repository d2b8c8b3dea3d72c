import 'server-only'
import { type FileFault, unreadableFile } from '../../view/stores/file-faults'
import { getPoliciesInForce } from '../policy/policies-in-force'
import { getSettingsProblems, getSetup } from '../process/setup'
import { getSession } from '../session/session-record'

/**
 * The configuration files that cannot be read, or not all of them, so that defaults are used for what they say. Where
 * this is not known (no database, a wrong environment), pages say so themselves.
 */
export async function getFileFaults(): Promise<readonly FileFault[]> {
  try {
    const { faults, problem } = await getPoliciesInForce()
    const { settingsFile } = getSetup()
    if (faults.length > 0 || settingsFile === null) return faults
    const [message = problem] = getSettingsProblems()
    return message === null ? [] : [unreadableFile(settingsFile, message)]
  } catch {
    return []
  }
}

/** Faults in the settings of the store that a session belongs to. */
export async function getSessionFaults(sessionId: string): Promise<readonly FileFault[]> {
  const faults = (await getFileFaults()).filter(({ store }) => store !== null)
  if (faults.length === 0) return []
  const session = await getSession(sessionId)
  return faults.filter(({ store }) => store?.id === session?.store.id)
}
