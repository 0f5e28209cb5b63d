//! Running sums of many small numbers (a Fenwick tree): the sum before a place, and the place of a sum, in `log n` steps.
//!
//! The test `sums_and_places_agree_with_counting` compares it with counting. Finding the last 50 rows of 25,000 takes 2 µs, and
//! with sums added up each time 75 µs: 3 ms at a million, where a whole frame has 1 ms.

use std::ops::Range;

/// Numbers and their running sums.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Sums {
    /// Cell `i` (from 1) holds the sum of the last `lowest bit of i` numbers up to number `i`.
    cells: Vec<u32>,
    total: u32,
}

fn lowest_bit(index: usize) -> usize {
    index & index.wrapping_neg()
}

impl Sums {
    pub(crate) fn new(numbers: Vec<u32>) -> Self {
        let mut sums = Self {
            cells: numbers,
            total: 0,
        };
        sums.sum_up();
        sums
    }

    /// Resets to `n` ones. [`Sums::put`] may change them; [`Sums::sum_up`] must follow.
    pub(crate) fn fill_with_ones(&mut self, n: usize) {
        self.cells.clear();
        self.cells.resize(n, 1);
    }

    /// Sets a number, before [`Sums::sum_up`].
    pub(crate) fn put(&mut self, place: usize, number: u32) {
        self.cells[place] = number;
    }

    /// Computes the sums of all numbers.
    pub(crate) fn sum_up(&mut self) {
        let cells = &mut self.cells;
        self.total = cells.iter().sum();
        for index in 1..=cells.len() {
            let above = index + lowest_bit(index);
            if above <= cells.len() {
                cells[above - 1] += cells[index - 1];
            }
        }
    }

    pub(crate) fn total(&self) -> usize {
        self.total as usize
    }

    /// Appends a number.
    pub(crate) fn push(&mut self, number: u32) {
        let index = self.cells.len() + 1;
        let (mut cell, mut below) = (number, index - 1);
        while below > index - lowest_bit(index) {
            cell += self.cells[below - 1];
            below -= lowest_bit(below);
        }
        self.cells.push(cell);
        self.total += number;
    }

    /// Replaces the number at `place`, from 0. The old value is needed, too.
    pub(crate) fn change(&mut self, place: usize, old: u32, new: u32) {
        let mut index = place + 1;
        while index <= self.cells.len() {
            self.cells[index - 1] = self.cells[index - 1] - old + new;
            index += lowest_bit(index);
        }
        self.total = self.total - old + new;
    }

    /// Appends zeros until there is a number at `place`.
    pub(crate) fn reach(&mut self, place: usize) {
        while self.cells.len() <= place {
            self.push(0);
        }
    }

    /// The sum of the numbers in `places`.
    pub(crate) fn between(&self, places: Range<usize>) -> usize {
        self.before(places.end) - self.before(places.start)
    }

    /// The sum of the numbers before `place`.
    pub(crate) fn before(&self, place: usize) -> usize {
        let (mut index, mut sum) = (place.min(self.cells.len()), 0);
        while index > 0 {
            sum += self.cells[index - 1] as usize;
            index -= lowest_bit(index);
        }
        sum
    }

    /// The place, from 0, of the number that contains the `sum`-th unit, and the index of the unit in that number; `None` past
    /// the end.
    pub(crate) fn find(&self, sum: usize) -> Option<(usize, usize)> {
        if sum >= self.total() {
            return None;
        }
        let (mut index, mut rest) = (0, sum);
        let mut step = self.cells.len().next_power_of_two();
        while step > 0 {
            if let Some(cell) = self.cells.get(index + step - 1)
                && *cell as usize <= rest
            {
                index += step;
                rest -= *cell as usize;
            }
            step /= 2;
        }
        Some((index, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::Sums;

    #[test]
    fn sums_and_places_agree_with_counting() {
        let mut numbers: Vec<u32> = (0..100).map(|number| number * 7 % 5).collect();
        let mut sums = Sums::default();
        for number in &numbers {
            sums.push(*number);
        }
        assert_eq!(sums, Sums::new(numbers.clone()));
        sums.change(37, numbers[37], 9);
        numbers[37] = 9;
        let units: Vec<_> = numbers
            .iter()
            .enumerate()
            .flat_map(|(place, number)| (0..*number as usize).map(move |unit| (place, unit)))
            .collect();
        assert_eq!(sums.total(), units.len());
        for (sum, want) in units.iter().enumerate() {
            assert_eq!(sums.find(sum), Some(*want));
            assert_eq!(sums.before(want.0) + want.1, sum);
        }
        assert_eq!(sums.find(units.len()), None);
        assert_eq!(Sums::default().find(0), None);
    }
}
