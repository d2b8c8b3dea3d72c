import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { openBulkWriter } from './bulk-writer'
import { LogKeeper } from './log-keeper'
import { gateMemory, writeGate } from './write-gate'

const MIB = 1024 * 1024

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

it('lets the log of a database begin anew, so that it does not grow with what is written', async () => {
  const file = join(folder, 'plimsoll.db')
  const gate = writeGate(gateMemory())
  const writer = openBulkWriter(file, gate)
  const keeper = new LogKeeper(file, gate)
  writer.script('CREATE TABLE "Bytes" ("value" BLOB)')
  const insert = writer.statement('INSERT INTO "Bytes" VALUES (?)')
  for (let i = 0; i < 24; i++) {
    await writer.write(() => insert([new Uint8Array(MIB)]))
    keeper.keep(64 * MIB)
  }
  expect(statSync(`${file}-wal`).size).toBeLessThan(4 * MIB)
  expect(writer.run('SELECT count(*), sum(length("value")) FROM "Bytes"').rows).toEqual([[24, 24 * MIB]])
  keeper.close()
  writer.close()
})
