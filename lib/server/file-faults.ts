import 'server-only'
import { type FileFault, unreadableFile } from '../view/file-faults'
import { getPoliciesInForce } from './policies-in-force'
import { getSettingsProblems, getSetup } from './setup'

/**
 * The configuration files that every page has to warn of, since defaults stand in for what they say. Where this cannot
 * be told (no database, a wrong environment), pages say so themselves.
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
