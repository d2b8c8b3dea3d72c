import { createStoreReader } from '../../adapters/stores/store-reader'
import { preparedSessions } from '../../db/commands/prepared-sessions'
import { refusedNeeds } from '../../db/commands/refused-needs'
import { openConnection } from '../../db/open-connection'
import type { ReplayWorkPorts } from '../../engine/replay/replay-work'
import { readerWithArchive } from '../archive'
import type { ReplayWorkerSetup } from './replay-messages'

/** What a thread replays with: a reader of stores and, where there is a database, what is kept in it. */
export function openReplayWork({ databaseFile, archive, prices }: ReplayWorkerSetup): {
  readonly ports: ReplayWorkPorts
  readonly close: () => void
} {
  const connection = databaseFile === null ? null : openConnection(databaseFile)
  return {
    ports: {
      reader: readerWithArchive(createStoreReader({ lastLine: 'take-whole' }), archive),
      prepared: connection === null ? null : preparedSessions(connection),
      refused: connection === null ? null : refusedNeeds(connection),
      prices,
    },
    close: () => connection?.close(),
  }
}
