import Download from '@mui/icons-material/FileDownloadOutlined'
import { Button } from '@mui/material'
import { useState } from 'react'
import { type RaRecord, useDataProvider, useListContext, useNotify } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'
import { useFaultSentence } from '../use-fault-sentence.ts'
import { type CsvColumn, toCsv } from './csv.ts'

const PAGE_ROWS = 100
const MAX_ROWS = 10_000

/** Downloads all pages of the list around it, with its filters and order, as CSV. */
export function ExportButton<Item extends RaRecord>({ file, columns }: { file: string; columns: ReadonlyArray<CsvColumn<Item>> }) {
  const texts = useTexts(kitTexts)
  const sentenceOf = useFaultSentence()
  const notify = useNotify()
  const dataProvider = useDataProvider()
  const { resource, sort, filterValues, filter } = useListContext<Item>()
  const [count, setCount] = useState<number>()

  const readAll = async () => {
    const rows: Item[] = []
    for (let page = 1; rows.length < MAX_ROWS; page += 1) {
      const wanted = { pagination: { page, perPage: PAGE_ROWS }, sort, filter: { ...filter, ...filterValues } }
      const { data, pageInfo } = await dataProvider.getList<Item>(resource, wanted)
      rows.push(...data)
      setCount(rows.length)
      if (!pageInfo?.hasNextPage) return rows
    }
    notify(texts.exportCut(rows.length), { type: 'warning' })
    return rows
  }
  const run = async () => {
    setCount(0)
    try {
      save(`${file}-${new Date().toISOString().slice(0, 10)}.csv`, toCsv(columns, await readAll()))
    } catch (error) {
      notify(sentenceOf(error), { type: 'error' })
    } finally {
      setCount(undefined)
    }
  }
  return (
    <Button startIcon={<Download />} disabled={count !== undefined} onClick={() => void run()}>
      {count === undefined ? texts.exportCsv : texts.exporting(count)}
    </Button>
  )
}

/** Spreadsheets need the byte order mark to read accents. */
function save(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob(['\u{feff}', csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
