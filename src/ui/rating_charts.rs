//! Charts of ratings. Each has a title and a summary for those who don't see it, and its table beside it.

use leptos::prelude::*;

use crate::{
    state::ratings::RatingsState,
    survey::analysis::{Report, layout::Which, table::Table},
    ui::figures_table::{CopyAs, figures},
    view::rating_charts::{
        DistributionChart, HeatMap, LEFT, MeansChart, RIGHT, ROW, STEPS, WIDTH, distribution_charts, means_charts,
        short,
    },
};

/// Means with their intervals.
#[component]
pub fn Means() -> impl IntoView {
    let state = RatingsState::get();
    move || {
        state.charts.get().map(|report| {
            let charts = means_charts(&report);
            let percent = format!("{:.0}", 100.0 * report.level);
            let hint = match &report.baseline {
                Some(baseline) => format!(
                    "Dots are means, lines {percent} % intervals. The ring is {baseline}; a filled diamond differs from it \
                     (p < 0.001). Their figures are in Table 1."
                ),
                None => format!("Dots are means, lines {percent} % intervals. Their figures are in Table 1."),
            };
            view! {
                <section class="card" id="chart-means" aria-labelledby="chart-means-title">
                    <h2 id="chart-means-title">"Means with intervals"</h2>
                    <Simulated report=report.clone() />
                    <p class="hint">{hint}</p>
                    <div class="charts">{charts.iter().enumerate().map(|(n, chart)| means(n, chart)).collect_view()}</div>
                </section>
            }
        })
    }
}

/// Said with every chart of simulated raters.
#[component]
fn Simulated(
    /// The report drawn.
    report: std::sync::Arc<Report>,
) -> impl IntoView {
    report
        .simulated_words()
        .map(|words| view! { <p class="simulated">{words}</p> })
}

fn names(method: &str, y: f64) -> AnyView {
    view! {
        <text class="name" x={LEFT - 8.0} y=y text-anchor="end" dominant-baseline="central">
            {short(method)}
            <title>{method.to_owned()}</title>
        </text>
    }
    .into_any()
}

/// One chart of means; `number` tells it from others on the page.
pub fn means(number: usize, chart: &MeansChart) -> AnyView {
    let (title, desc) = (format!("means-{number}-title"), format!("means-{number}-desc"));
    let axis = chart.height - 22.0;
    let ticks = chart
        .ticks
        .iter()
        .map(|(x, text)| {
            view! {
                <line class="grid" x1=*x x2=*x y1="2" y2=axis />
                <text class="tick" x=*x y={axis + 14.0} text-anchor="middle">{text.clone()}</text>
            }
        })
        .collect_view();
    let marks = chart
        .marks
        .iter()
        .map(|mark| {
            let y = mark.y;
            let whisker = mark.interval.map(|(low, high)| {
                let path = format!(
                    "M{low:.2} {y:.2}H{high:.2}M{low:.2} {:.2}v8M{high:.2} {:.2}v8",
                    y - 4.0,
                    y - 4.0
                );
                view! { <path class="whisker" d=path /> }
            });
            let dot = mark.x.map(|x| {
                if mark.marked {
                    let path = format!("M{x:.2} {:.2}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5);
                    view! { <path class="dot differs" d=path /> }.into_any()
                } else if mark.baseline {
                    view! { <circle class="dot baseline" cx=x cy=y r="4.5" /> }.into_any()
                } else {
                    view! { <circle class="dot" cx=x cy=y r="4.5" /> }.into_any()
                }
            });
            view! {
                {names(&mark.method, y)}
                <g>
                    <title>{mark.text.clone()}</title>
                    <rect class="hit" x=LEFT y={y - ROW / 2.0} width={RIGHT - LEFT} height=ROW />
                    {whisker}
                    {dot}
                </g>
            }
        })
        .collect_view();
    view! {
        <figure class="rating-chart">
            <figcaption>{chart.criterion.clone()}</figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {}", chart.height) role="img" aria-labelledby=format!("{title} {desc}")>
                <title id=title.clone()>{chart.title.clone()}</title>
                <desc id=desc.clone()>{chart.summary.clone()}</desc>
                {ticks}
                {marks}
            </svg>
        </figure>
    }
    .into_any()
}

/// How often each rating was given.
#[component]
pub fn Distributions() -> impl IntoView {
    let state = RatingsState::get();
    move || {
        state.charts.get().map(|report| {
            let charts = distribution_charts(&report);
            let table = report.table(Which::Distributions);
            view! {
                <section class="card" id="chart-distributions" aria-labelledby="chart-distributions-title">
                    <h2 id="chart-distributions-title">"How often each rating was given"</h2>
                    <Simulated report=report.clone() />
                    <div class="charts">{charts.iter().enumerate().map(|(n, chart)| distribution(n, chart)).collect_view()}</div>
                    <Folded title="The figures as a table" what="the distributions" table=table.clone() rows=table />
                </section>
            }
        })
    }
}

/// The class of a figure on a ground so dark, 0..1, that it can be read in the light and in the dark.
fn tone(depth: f64) -> &'static str {
    if depth > 0.8 {
        "share deep"
    } else if depth > 0.6 {
        "share middling"
    } else {
        "share"
    }
}

/// The drawing of a distribution, the `number`-th on its page.
pub fn distribution(number: usize, chart: &DistributionChart) -> AnyView {
    let (title, desc) = (format!("spread-{number}-title"), format!("spread-{number}-desc"));
    let depth = |depth: f64| format!("{:.0}%", 14.0 + 86.0 * depth.powf(1.4));
    let bars = chart
        .bars
        .iter()
        .map(|bar| {
            let segments = bar
                .segments
                .iter()
                .map(|segment| {
                    let label = segment.label.clone().map(|label| {
                        view! {
                            <text class=tone(segment.depth) x={segment.x + segment.width / 2.0} y=bar.y
                                text-anchor="middle" dominant-baseline="central">{label}</text>
                        }
                    });
                    view! {
                        <g>
                            <title>{segment.text.clone()}</title>
                            <rect class="segment-bar" style:--depth=depth(segment.depth) x=segment.x y={bar.y - 9.0}
                                width=segment.width height="18" />
                            {label}
                        </g>
                    }
                })
                .collect_view();
            view! { {names(&bar.method, bar.y)} {segments} }
        })
        .collect_view();
    let legend = chart
        .legend
        .iter()
        .map(|(value, at)| {
            view! { <li><span class="swatch" style:--depth=depth(*at)></span>{value.clone()}</li> }
        })
        .collect_view();
    view! {
        <figure class="rating-chart">
            <figcaption>{chart.criterion.clone()} <ul class="legend" aria-label="Ratings">{legend}</ul></figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {}", chart.height - 18.0) role="img" aria-labelledby=format!("{title} {desc}")>
                <title id=title.clone()>{format!("Distribution of {}", chart.criterion)}</title>
                <desc id=desc.clone()>{chart.summary.clone()}</desc>
                {bars}
            </svg>
        </figure>
    }
    .into_any()
}

/// How far each two raters agree.
#[component]
pub fn Agreement() -> impl IntoView {
    let state = RatingsState::get();
    let criteria = Memo::new(move |_| {
        state.charts.with(|report| {
            let rows = report.iter().flat_map(|report| &report.agreement);
            rows.map(|row| row.criterion.clone()).collect::<Vec<_>>()
        })
    });
    let all = move || {
        state
            .charts
            .with(|report| report.as_ref().map_or(0, |report| report.counts.raters))
    };
    let map = move || {
        state.pairs.get().map(|pairs| {
            let Some(map) = HeatMap::new(&pairs) else {
                return view! { <p class="hint">"A single rater agrees with nobody: the map needs two."</p> }.into_any();
            };
            let shown = pairs.raters.len();
            let table = pairs.table();
            view! {
                {(shown < all()).then(|| view! {
                    <p class="hint">{format!("Of {} raters, the {shown} whose ratings go least with the others’.", all())}</p>
                })}
                {heat_map(&map)}
                <Folded title="The pairs as a table" what="the pairs of raters" table=table.clone() rows=table />
            }
            .into_any()
        })
    };
    // The map is not drawn anew with every report: it has a turn of its own.
    let some = Memo::new(move |_| state.charts.with(Option::is_some));
    move || {
        some.get().then(|| view! {
            <section class="card" id="chart-agreement" aria-labelledby="chart-agreement-title">
                <h2 id="chart-agreement-title">"Agreement between raters, each with each"</h2>
                {move || state.charts.get().map(|report| view! { <Simulated report /> })}
                <p class="hint">
                    "Krippendorff’s α (ordinal) of the items that both rated: 1 is full agreement, 0 what chance would give. A pale \
                     row is a rater who goes their own way."
                </p>
                <div class="row">
                    <label for="pairs-criterion">"Criterion"</label>
                    <select id="pairs-criterion" on:change=move |event| state.choose_pairs(event_target_value(&event).parse().unwrap_or_default())>
                        {move || criteria.get().into_iter().enumerate().map(|(place, name)| view! {
                            <option value=place.to_string() prop:selected=move || state.pairs_of.get() == place>{name}</option>
                        }).collect_view()}
                    </select>
                </div>
                {map}
            </section>
        })
    }
}

fn heat_map(map: &HeatMap) -> AnyView {
    let side = map.side;
    let cells = map
        .cells
        .iter()
        .map(|cell| {
            let class = cell
                .step
                .map_or_else(|| "cell none".to_owned(), |step| format!("cell step-{step}"));
            let label = cell.label.clone().map(|label| {
                view! {
                    <text class=tone(cell.step.map_or(0.0, |step| 0.2 * step as f64 - 0.1)) x={cell.x + side / 2.0}
                        y={cell.y + side / 2.0} text-anchor="middle" dominant-baseline="central">{label}</text>
                }
            });
            view! {
                <g>
                    <title>{cell.text.clone()}</title>
                    <rect class=class x=cell.x y=cell.y width=side height=side />
                    {label}
                </g>
            }
        })
        .collect_view();
    let rows = map
        .rows
        .iter()
        .map(|(y, name)| {
            view! { <text class="name" x="70" y=*y text-anchor="end" dominant-baseline="central">{name.clone()}</text> }
        })
        .collect_view();
    let columns = map
        .columns
        .iter()
        .map(|(x, name)| {
            let turned = format!("rotate(-60 {x} {})", map.below + 8.0);
            view! { <text class="name" x=*x y={map.below + 10.0} text-anchor="end" transform=turned>{name.clone()}</text> }
        })
        .collect_view();
    let legend = STEPS
        .iter()
        .enumerate()
        .map(|(step, words)| view! { <li><span class=format!("swatch step-{step}")></span>{*words}</li> })
        .collect_view();
    view! {
        <figure class="rating-chart heat-map">
            <figcaption>{map.criterion.clone()} <ul class="legend" aria-label="Krippendorff’s α">{legend}</ul></figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {}", map.height) role="img" aria-labelledby="heat-map-title heat-map-desc">
                <title id="heat-map-title">{format!("Agreement on {}", map.criterion)}</title>
                <desc id="heat-map-desc">{map.summary.clone()}</desc>
                {cells}
                {rows}
                {columns}
            </svg>
        </figure>
        <p class="hint">{map.summary.clone()}</p>
    }
    .into_any()
}

/// A table that is drawn when it is unfolded: long ones would hold the page up.
#[component]
pub fn Folded(
    /// What is unfolded.
    title: &'static str,
    /// What is copied.
    what: &'static str,
    /// For people.
    table: Table,
    /// One figure a column.
    rows: Table,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let tables = StoredValue::new((table, rows));
    let text = Callback::new(move |form: super::figures_table::Form| {
        tables.with_value(|(table, rows)| form.write(table, rows))
    });
    view! {
        <details on:toggle=move |_| open.set(true)>
            <summary>{title}</summary>
            <CopyAs what text />
            {move || open.get().then(|| tables.with_value(|(table, _)| figures(table)))}
        </details>
    }
}
