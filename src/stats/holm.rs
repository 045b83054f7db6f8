//! p-values of many comparisons.

/// The p-values adjusted by Holm's step-down method, in the order given: the smallest is multiplied by how many there
/// are, the next by one less, and so on, never below the one before nor above 1. Rejecting what is below 0.05 then
/// errs anywhere in the family with a probability of at most 0.05, whatever depends on what (Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979).
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut most = 0.0_f64;
    for (place, index) in order.into_iter().enumerate() {
        most = most.max(p_values[index] * (p_values.len() - place) as f64).min(1.0);
        adjusted[index] = most;
    }
    adjusted
}
