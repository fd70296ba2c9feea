import { type Caller, mayAlso } from '../../api/caller.ts'
import { listGatewayStates } from '../../products/gateway-state.ts'
import { type Alert, type AlertDeps, SEVERITIES, scopeOf } from './alert.ts'
import { endpointsOf } from './endpoint-alerts.ts'
import { gatewayOf } from './gateway-alerts.ts'
import { jobsOf } from './job-alerts.ts'
import { powerOf, signingKeyOf } from './key-alerts.ts'
import { notificationsOf } from './notification-alerts.ts'
import { duplicatePurchases } from './purchase-alerts.ts'

/** The alerts that the caller may see, the worst first. */
export async function listAlerts(caller: Caller, deps: AlertDeps): Promise<Alert[]> {
  const gateways = await listGatewayStates(deps.storage)
  const all: Alert[] = [
    ...(deps.sendsMail ? [] : [{ kind: 'no_mail_server', severity: 'bad', count: 1 } as const]),
    ...(await notificationsOf(deps)),
    ...(await jobsOf(deps)),
    ...gateways.flatMap((state) => gatewayOf(state, deps)),
    ...(await endpointsOf(deps)),
    ...(await duplicatePurchases(gateways, deps)),
    ...(await signingKeyOf(deps)),
    ...(await powerOf(deps)),
  ]
  const mine = all.filter(({ kind }) => mayAlso(caller, scopeOf[kind]))
  return mine.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}
