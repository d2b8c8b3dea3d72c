// Imports the store in folder argv[3] into the database argv[2], in very small transactions, so that there are many
// moments between and within them at which it can be killed.
import { discoverStores } from '../../adapters/discovery/discover'
import { takeIngestion } from '../../compose/ingest/ingestion'
import { LocalConnection } from '../../db/sqlite/local-connection'
import { migrate, readMigrations } from '../../db/sqlite/migrate'
import { ingest } from '../../engine/ingest/ingest'

const [database = '', root = '', migrations = ''] = process.argv.slice(2)
const connection = new LocalConnection(database)
const migrated = migrate(connection, readMigrations(migrations))
connection.close()
if (!migrated.ok) throw new Error(migrated.message)
const { stores } = await discoverStores({ env: {}, home: root, instead: [root] })
const taken = await takeIngestion(database, true, { rows: 12, bytes: 1 << 20 })
if (!taken.held) {
  process.stdout.write('refused\n')
  process.exit(3)
}
let threads = 0
process.on('worker', () => {
  threads += 1
})
process.stdout.write('started\n')
const report = await ingest(taken.ingestion.context, stores)
taken.ingestion.close()
const problems = report.problems.map(({ problem }) => problem).join()
process.stdout.write(`finished ${report.entries} in ${threads} threads ${problems}\n`)
