import { Autocomplete, TextField, Typography } from '@mui/material'
import { useState } from 'react'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { ManagedBy } from '../../kit/show/managed-by.tsx'
import { homeTexts } from '../texts.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Sets the time zone of the operator's days. */
export function ZoneButton({ zone }: { zone: string }) {
  const texts = useTexts(homeTexts)
  const [chosen, setChosen] = useState(zone)
  return (
    <ActionButton
      label={texts.setZone}
      request={{ method: 'PUT', path: adminPath('reports', 'time-zone'), body: { time_zone: chosen } }}
      reason="none"
      onOpen={() => setChosen(zone)}
      fields={{ time_zone: texts.zone }}
      explains={
        <>
          <ManagedBy kind="reports" id="operator" />
          <Typography sx={{ mb: 2 }}>{texts.setZoneExplains}</Typography>
          <Autocomplete
            options={zones.includes(zone) ? zones : [zone, ...zones]}
            value={chosen}
            disableClearable
            onChange={(_event, value) => setChosen(value)}
            renderInput={(params) => <TextField {...params} label={texts.zone} />}
          />
        </>
      }
    />
  )
}
