import { defineTexts } from '../../i18n/use-texts.ts'

/** Actions on the endpoints that events are delivered to. */
export const endpointActions = defineTexts({
  'pt-BR': {
    'endpoint.replay': 'Eventos entregues de novo a um endereço',
    'endpoint.replay_event': 'Evento entregue de novo',
    'endpoint.change': 'Endereço de eventos alterado',
    'endpoint.create': 'Endereço de eventos criado',
    'endpoint.disable': 'Endereço de eventos desativado',
    'endpoint.enable': 'Endereço de eventos reativado',
    'endpoint.failing': 'Entregas a um endereço de eventos falham',
    'endpoint.remove': 'Endereço de eventos removido',
    'endpoint.rotate_secret': 'Segredo de um endereço de eventos trocado',
  },
  en: {
    'endpoint.replay': 'Events delivered again to an endpoint',
    'endpoint.replay_event': 'Event delivered again',
    'endpoint.change': 'Event endpoint changed',
    'endpoint.create': 'Event endpoint created',
    'endpoint.disable': 'Event endpoint disabled',
    'endpoint.enable': 'Event endpoint enabled',
    'endpoint.failing': 'Deliveries to an event endpoint are failing',
    'endpoint.remove': 'Event endpoint removed',
    'endpoint.rotate_secret': 'Secret of an event endpoint rotated',
  },
  es: {
    'endpoint.replay': 'Eventos entregados de nuevo a una dirección',
    'endpoint.replay_event': 'Evento entregado de nuevo',
    'endpoint.change': 'Dirección de eventos cambiada',
    'endpoint.create': 'Dirección de eventos creada',
    'endpoint.disable': 'Dirección de eventos desactivada',
    'endpoint.enable': 'Dirección de eventos reactivada',
    'endpoint.failing': 'Fallan las entregas a una dirección de eventos',
    'endpoint.remove': 'Dirección de eventos eliminada',
    'endpoint.rotate_secret': 'Secreto de una dirección de eventos cambiado',
  },
})
