import { defineTexts } from '../../i18n/use-texts.ts'
import type { HealthKind, ProductTab } from './health.ts'

interface HealthTexts {
  tabs: Record<ProductTab, string>
  tabList: string
  health: string
  kinds: Record<HealthKind, (values: { at: string; count: number; gateways: string }) => string>
}

/** The tabs of a product's page, and what its strip says of each. */
export const healthTexts = defineTexts<HealthTexts>({
  'pt-BR': {
    tabs: {
      overview: 'Visão geral',
      sign_in: 'Entrada',
      keys: 'Chaves',
      events: 'Eventos',
      payments: 'Pagamentos',
      appearance: 'Aparência',
    },
    tabList: 'Partes do produto',
    health: 'Como está o produto',
    kinds: {
      no_redirect_uri: () => 'Falta o endereço de retorno',
      no_sign_in: () => 'Ninguém entrou ainda',
      last_sign_in: ({ at }) => `Última entrada: ${at}`,
      no_key: () => 'Sem chave de API',
      keys_new: () => 'Chave ainda não usada',
      keys_unused: ({ count }) => (count === 1 ? '1 chave sem uso' : `${count} chaves sem uso`),
      keys_used: ({ at }) => `Chave usada: ${at}`,
      no_endpoint: () => 'Não recebe eventos',
      endpoints_failing: ({ count }) => (count === 1 ? '1 endereço de eventos falha' : `${count} endereços de eventos falham`),
      endpoints_well: () => 'Eventos chegam',
      credentials_missing: ({ gateways }) => `Faltam credenciais: ${gateways}`,
      deliveries_refused: ({ gateways, at }) => `${gateways}: entregas recusadas desde ${at}`,
      purchases_wait: ({ count }) =>
        count === 1 ? '1 notificação não resolvida ou com falha' : `${count} notificações não resolvidas ou com falha`,
      credentials_test: ({ gateways }) => `Credenciais de teste: ${gateways}`,
      no_delivery: () => 'Nenhum pagamento ainda',
      last_delivery: ({ at }) => `Última notificação: ${at}`,
    },
  },
  en: {
    tabs: { overview: 'Overview', sign_in: 'Sign-in', keys: 'Keys', events: 'Events', payments: 'Payments', appearance: 'Appearance' },
    tabList: 'Parts of the product',
    health: 'How the product is doing',
    kinds: {
      no_redirect_uri: () => 'No redirect URI',
      no_sign_in: () => 'Nobody has signed in yet',
      last_sign_in: ({ at }) => `Last sign-in: ${at}`,
      no_key: () => 'No API key',
      keys_new: () => 'Key not used yet',
      keys_unused: ({ count }) => (count === 1 ? '1 unused key' : `${count} unused keys`),
      keys_used: ({ at }) => `Key used: ${at}`,
      no_endpoint: () => 'Receives no events',
      endpoints_failing: ({ count }) => (count === 1 ? '1 event endpoint failing' : `${count} event endpoints failing`),
      endpoints_well: () => 'Events arrive',
      credentials_missing: ({ gateways }) => `Credentials missing: ${gateways}`,
      deliveries_refused: ({ gateways, at }) => `${gateways}: deliveries refused since ${at}`,
      purchases_wait: ({ count }) => (count === 1 ? '1 notification unresolved or failed' : `${count} notifications unresolved or failed`),
      credentials_test: ({ gateways }) => `Test credentials: ${gateways}`,
      no_delivery: () => 'No payment yet',
      last_delivery: ({ at }) => `Last notification: ${at}`,
    },
  },
  es: {
    tabs: {
      overview: 'Resumen',
      sign_in: 'Inicio de sesión',
      keys: 'Claves',
      events: 'Eventos',
      payments: 'Pagos',
      appearance: 'Apariencia',
    },
    tabList: 'Partes del producto',
    health: 'Cómo está el producto',
    kinds: {
      no_redirect_uri: () => 'Falta la dirección de retorno',
      no_sign_in: () => 'Nadie ha entrado todavía',
      last_sign_in: ({ at }) => `Último inicio de sesión: ${at}`,
      no_key: () => 'Sin clave de API',
      keys_new: () => 'Clave aún no usada',
      keys_unused: ({ count }) => (count === 1 ? '1 clave sin uso' : `${count} claves sin uso`),
      keys_used: ({ at }) => `Clave usada: ${at}`,
      no_endpoint: () => 'No recibe eventos',
      endpoints_failing: ({ count }) => (count === 1 ? '1 dirección de eventos falla' : `${count} direcciones de eventos fallan`),
      endpoints_well: () => 'Los eventos llegan',
      credentials_missing: ({ gateways }) => `Faltan credenciales: ${gateways}`,
      deliveries_refused: ({ gateways, at }) => `${gateways}: entregas rechazadas desde ${at}`,
      purchases_wait: ({ count }) =>
        count === 1 ? '1 notificación sin resolver o fallida' : `${count} notificaciones sin resolver o fallidas`,
      credentials_test: ({ gateways }) => `Credenciales de prueba: ${gateways}`,
      no_delivery: () => 'Ningún pago todavía',
      last_delivery: ({ at }) => `Última notificación: ${at}`,
    },
  },
})
