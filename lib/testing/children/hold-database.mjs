// Another process that works on an agent database: runs the SQL statements it is sent, one JSON array per line, and
// answers each line with "done". Started with the file's path.
import { createInterface } from 'node:readline'
import Database from 'libsql'

const database = new Database(process.argv[2])
console.log('ready')
// Statements are only executed, not prepared: what is prepared would keep the connection open after `close`.
for await (const line of createInterface({ input: process.stdin })) {
  for (const sql of JSON.parse(line)) database.exec(sql)
  console.log('done')
}
database.close()
