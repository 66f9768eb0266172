/**
 * The page for people, live figures on it.
 *
 * <p>Start at {@link dev.weir.gateway.dashboard.Dashboard}, all that others see of it. It knows the
 * metrics, and nothing of the gateway: who may look is told to it.
 *
 * <ul>
 *   <li>{@code DashboardFiles}: the page and what it loads.
 *   <li>{@code DashboardEvents}: the same snapshot for all viewers, once a second.
 *   <li>{@code DashboardSnapshot} is made of the meters, which {@code DashboardFigures} finds;
 *       {@code DashboardRates} and {@code DashboardLatency} remember what is needed to tell rates
 *       and percentiles of the last seconds.
 *   <li>{@code DashboardHistory} keeps the last minutes, and the last hour in coarser points.
 * </ul>
 */
package dev.weir.gateway.dashboard;
