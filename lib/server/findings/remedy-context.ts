import 'server-only'
import { openRemedies } from '../../compose/policy/remedies'
import { experimentRows } from '../../db/commands/experiments'
import type { RemedyPorts } from '../../engine/findings/remedy-ports'
import { finishedTunings } from '../../engine/findings/tunings'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'
import { getSession } from '../session/session-record'
import { findStoresForPage } from '../stores/found-stores'

/** What remedies for a session are worked out with, and the session as it is on disk; null: it is not there any more. */
export async function openRemedyContext(
  session: string,
): Promise<{ readonly ports: RemedyPorts; readonly own: StoredTranscript } | null> {
  const known = await getSession(session)
  if (known === null) return null
  const setup = getSetup()
  const { stores, reader } = await findStoresForPage(setup)
  const store = stores.find(({ id }) => id === known.store.id)
  if (store === undefined) return null
  const listed: StoredTranscript[] = []
  for await (const transcript of reader.list(store)) listed.push({ store, transcript })
  const own = listed.find(({ transcript }) => transcript.id === session)
  if (own === undefined) return null
  const tunings = async () => finishedTunings(experimentRows((await getDatabase()).connection))
  return { ports: await openRemedies(setup, stores, reader, listed, tunings), own }
}
