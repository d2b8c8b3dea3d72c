import { expect } from '@playwright/test'
import { expectAccessible } from './accessible'
import { test } from './cold-world'

test('X13 I6 a dropped chunk is found, shown among its old neighbours, brought back, and taken back to the byte', async ({
  page,
  world,
}) => {
  const before = world.text()
  await page.goto(`${world.url}/cold-storage`)
  const list = page.getByRole('list', { name: 'Dropped chunks' })
  await expect(list.getByRole('listitem')).toHaveCount(31)
  await expect(page.getByText('33 chunks, 2 expired')).toBeVisible()
  await expect(page.getByText('1 line torn')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search cold storage' }).fill('TIDE, table!')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(page).toHaveURL(/q=TIDE/)
  await list.getByRole('button', { name: /harbour master/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Dropped chunk' })
  const hood = sheet.getByRole('list', { name: 'Neighbourhood' })
  await expect(hood.getByRole('listitem')).toHaveCount(7)
  await expect(hood).toContainText('the chunk, as a note')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Bring it back…' }).click()
  await expect(sheet).toContainText(world.file)
  expect(world.text()).toBe(before)
  await sheet.getByRole('button', { name: 'Bring it back', exact: true }).click()
  await expect(sheet.getByRole('status')).toContainText('where it was')
  expect(world.text()).toContain('The harbour master keeps the tide table')
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await expect(sheet.getByRole('status')).toContainText('Taken back')
  expect(world.text()).toBe(before)

  await sheet.getByRole('button', { name: 'Keep longer' }).click()
  await expect(sheet.getByText(/kept until 20/)).toBeVisible()
  await sheet.getByRole('link', { name: 'Timeline' }).click()
  const life = page.getByRole('list', { name: 'What happened to it' })
  await expect(life).toContainText('born in the transcript')
  await expect(life).toContainText('left the context')
  await expect(life).toContainText('brought back')
  // In the log and by the audit, and shown once.
  await expect(life.getByText('the recovery was taken back')).toHaveCount(1)
  await expectAccessible(page)
})

test('I3 I4 what expired is purged after a look; archives of runtimes are searched, read-only', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(`${world.url}/cold-storage?expired=only`)
  await expect(page.getByRole('list', { name: 'Dropped chunks' }).getByRole('listitem')).toHaveCount(2)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.getByRole('button', { name: /^Purge/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Purge what has expired?' })
  await expect(dialog).toContainText('2 expired chunks')
  await dialog.getByRole('button', { name: /^Remove 2 chunks/ }).click()
  await expect(dialog.getByRole('status')).toContainText('2 expired chunks removed')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.goto(`${world.url}/cold-storage?q=lighthouse`)
  const archived = page.getByRole('list', { name: 'Archived entries' })
  await expect(archived).toContainText('lighthouse')
  await expect(archived).toContainText('reset')
  await expectAccessible(page)
})
