// A process that keeps an archive in step with a store until it is killed.

import { archiveSources } from '../../adapters/archive/archive-sources'
import { openArchiveFolder } from '../../adapters/archive/open-archive'
import { discoverStores } from '../../adapters/discovery/discover'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { sha256 } from '../../adapters/write/sha256'
import { ArchiveKeeper } from '../../engine/archive/archive-keeper'
import type { FoundTranscript } from '../../engine/read/ports'

const [root = '', archive = ''] = process.argv.slice(2)
const reader = createStoreReader()
const { stores } = await discoverStores({ home: '/nowhere', env: {}, only: [root] })
const [store] = stores
if (store === undefined) throw new Error(`no store at ${root}`)
const keeper = new ArchiveKeeper({
  folder: openArchiveFolder(archive, Date.now),
  sources: archiveSources(reader),
  sha256,
  clock: { now: Date.now },
  limits: { quotaBytes: 1e9, keepMs: 1e9 },
  deletionOf: () => null,
})
console.log('ready')
for (;;) {
  const listed: FoundTranscript[] = []
  for await (const transcript of reader.list(store)) listed.push(transcript)
  keeper.takeListing(store, listed, true)
  await keeper.pass({ eager: true })
}
