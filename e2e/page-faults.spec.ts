import { expect } from '@playwright/test'
import Database from 'libsql'
import { expectAccessibleInBothThemes } from './accessible'
import { test } from './damaged-store'

test('a page that cannot be made says so with the number in the log, keeps the way out, and is made again once it can', async ({
  page,
  world,
}) => {
  const session = (await world.page()).replace(/\/integrity$/, '')
  const database = new Database(world.database)
  database.exec('ALTER TABLE "Compaction" RENAME TO "Hidden"')
  try {
    await page.goto(session)
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      /could not be made[\s\S]*“plimsoll serve” prints names it with the number \d+/,
    )
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    await expectAccessibleInBothThemes(page)
  } finally {
    database.exec('ALTER TABLE "Hidden" RENAME TO "Compaction"')
    database.close()
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('navigation', { name: 'Parts of the session' })).toBeVisible()
})
